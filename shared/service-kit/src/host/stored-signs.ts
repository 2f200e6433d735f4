import { type Bus, patienceMs } from '@platen/messaging/connection/bus.ts'
import { asBusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { ErrorCode, NatsError } from 'nats'

export type SigningBus = Pick<Bus, 'nats' | 'js' | 'connected' | 'writes' | 'untilDisconnected'>

/**
 * Sends the heartbeats of this process. An idle deployment stores nothing else in JetStream, so that they show whether
 * it can store messages: a server with a full disk answers requests, but stores nothing. Answers are not awaited.
 */
export class StoredSigns {
  readonly #bus: SigningBus
  readonly #subject: string
  readonly #stream: string
  #isWaiting = false
  /** Signs in a row. */
  #unanswered = 0

  /** `key` is that of this process in the bucket. */
  constructor(bus: SigningBus, bucket: string, key: string) {
    this.#bus = bus
    this.#subject = `$KV.${bucket}.${key}`
    this.#stream = `KV_${bucket}`
  }

  get subject(): string {
    return this.#subject
  }

  send(text: string): void {
    if (this.#isWaiting) this.#bus.nats.publish(this.#subject, text)
    else void this.#store(text)
  }

  async #store(text: string): Promise<void> {
    const { js, writes } = this.#bus
    const startedAt = performance.now()
    this.#isWaiting = true
    try {
      await this.#bus.untilDisconnected(js.publish(this.#subject, text, { timeout: patienceMs }))
      writes.stored(this.#stream)
      this.#unanswered = 0
    } catch (err) {
      this.#unanswered = isUnanswered(err) ? this.#unanswered + 1 : 0
      if (this.#bus.connected && this.#isNotStored(err)) writes.failed(this.#stream, asBusUnavailable(err), startedAt)
    } finally {
      this.#isWaiting = false
    }
  }

  /**
   * Whether the failure means that JetStream stores nothing. A missing stream is found by the check of streams, and a
   * full bucket says nothing about the disk.
   */
  #isNotStored(err: unknown): boolean {
    // On a busy machine, one answer may take as long.
    if (isUnanswered(err)) return this.#unanswered > 1
    return err instanceof NatsError && !!err.api_error && !err.api_error.description.startsWith('maximum ')
  }
}

function isUnanswered(err: unknown): boolean {
  return err instanceof NatsError && err.code === ErrorCode.Timeout
}
