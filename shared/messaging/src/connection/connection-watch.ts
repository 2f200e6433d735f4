import { untilBeat } from '@platen/foundation/runtime/beat.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { ErrorCode, Events, type NatsConnection, NatsError } from 'nats'

const lookEveryMs = 2_500
/** The interval of checks while JetStream does not answer. */
const lookAgainMs = 1_000
/** If JetStream does not answer for this time on an open connection, another server is tried. */
const silentForMs = 5_000
const longestPauseMs = 60_000

export interface WatchOptions {
  /** The number of servers in the configuration; more may be known from the cluster. */
  servers: number
  /** The setting that a refused login is blamed on. */
  login: () => string
  /** Rejects if JetStream does not answer. */
  look: () => Promise<unknown>
  /** The login may publish nothing to the subject. */
  onPublishRefused: (subject: string) => void
  log: Logger
  stopping: AbortSignal
}

/** Follows the state of a connection, and leaves a server whose JetStream does not work. */
export class ConnectionWatch {
  readonly #nats: NatsConnection
  readonly #options: WatchOptions
  #connected = true
  #disconnectedAt = 0
  #refusals = 0
  #silentSince: number | undefined
  readonly #waiting = new Set<() => void>()

  constructor(nats: NatsConnection, options: WatchOptions) {
    this.#nats = nats
    this.#options = options
    void this.#follow()
    void nats.closed().then(() => this.#loseAnswers())
    void this.#watchJetStream()
  }

  get connected(): boolean {
    return this.#connected
  }

  /** 0 while it is connected. */
  get disconnectedForMs(): number {
    return this.#connected ? 0 : performance.now() - this.#disconnectedAt
  }

  /** Settles like `answer`, or rejects when the connection is lost or closed, as its answer is lost with it. */
  async untilDisconnected<Result>(answer: Promise<Result>): Promise<Result> {
    const { promise: lost, reject } = Promise.withResolvers<never>()
    const onLost = () => reject(NatsError.errorForCode(ErrorCode.Disconnect))
    this.#waiting.add(onLost)
    try {
      return await Promise.race([answer, lost])
    } finally {
      this.#waiting.delete(onLost)
    }
  }

  /** How long JetStream has not answered over a living connection. */
  get silentForMs(): number {
    return this.#silentSince === undefined ? 0 : performance.now() - this.#silentSince
  }

  async #follow(): Promise<void> {
    const { log, onPublishRefused } = this.#options
    for await (const { type, data, permissionContext } of this.#nats.status()) {
      if (type === Events.Disconnect) {
        if (this.#connected) this.#disconnectedAt = performance.now()
        this.#connected = false
        this.#loseAnswers()
        log.warn({ server: data }, 'NATS disconnected, reconnecting')
      }
      if (type === Events.Reconnect) {
        this.#connected = true
        this.#refusals = 0
        log.warn({ server: data, version: this.#nats.info?.version }, 'NATS reconnected')
      }
      if (type === Events.Error) this.#onError(String(data))
      if (permissionContext?.operation === 'publish') onPublishRefused(permissionContext.subject)
    }
  }

  #loseAnswers(): void {
    for (const onLost of this.#waiting) onLost()
  }

  /** The client tries on several times a second: the first, second, fourth, … refused login is logged. */
  #onError(code: string): void {
    const { log, login } = this.#options
    const isLogin = [ErrorCode.AuthorizationViolation, ErrorCode.AuthenticationExpired, ErrorCode.AccountExpired].some(
      (known) => known === code,
    )
    if (!isLogin) return
    this.#refusals++
    if (Math.log2(this.#refusals) % 1 !== 0) return
    const explained = code === ErrorCode.AuthorizationViolation ? 'Authorization Violation' : code
    log.error({ refusals: this.#refusals }, `NATS refuses the login (${explained}), retrying; check ${login()}`)
  }

  async #watchJetStream(): Promise<void> {
    const { look, log, stopping } = this.#options
    let silentMs = 0
    let limitMs = silentForMs
    while (!stopping.aborted) {
      const startedAt = performance.now()
      const answers =
        !this.#connected ||
        (await look().then(
          () => true,
          () => false,
        ))
      this.#silentSince = answers ? undefined : (this.#silentSince ?? startedAt)
      await (answers ? untilBeat(lookEveryMs, stopping) : sleep(lookAgainMs, stopping))
      if (answers || !this.#connected) {
        silentMs = 0
        limitMs = silentForMs
        continue
      }
      // The process may have been suspended: a look counts as long as it may take at most.
      silentMs += Math.min(performance.now() - startedAt, 2 * lookAgainMs + 1_000)
      if (silentMs < limitMs || !this.#hasOtherServers) continue
      silentMs = 0
      limitMs = Math.min(2 * limitMs, longestPauseMs)
      log.warn({ server: this.#nats.getServer() }, 'JetStream of this NATS server does not answer, trying another one')
      // It rejects when the connection has been closed meanwhile.
      await this.#nats.reconnect().catch(() => {})
    }
  }

  get #hasOtherServers(): boolean {
    return Math.max(this.#options.servers, this.#nats.info?.connect_urls?.length ?? 0) > 1
  }
}
