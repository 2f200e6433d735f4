import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { connect, createInbox, ErrorCode, type JetStreamClient, type JetStreamManager, type NatsConnection } from 'nats'
import { BusUnavailable, JetStreamSilent } from './bus-unavailable.ts'
import { connectFailure, jetStreamFailure, loginOf } from './connect-failure.ts'
import { ConnectionWatch } from './connection-watch.ts'
import { LongTexts } from './long-texts.ts'
import { type NatsConfig, serverAndLogin, serversOf } from './nats-options.ts'
import { PubAcks } from './pub-acks.ts'
import { clockStream, ServerClock, toldTime } from './server-clock.ts'

import { WriteHealth } from './write-health.ts'

/** A connection to NATS with JetStream. It reconnects until it is disposed of. */
export interface Bus extends AsyncDisposable {
  readonly nats: NatsConnection
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  /**
   * For requests that change nothing and are repeated: see `ask`. As an answer can be lost, each waits 1.5 s at most.
   */
  readonly queries: JetStreamManager
  readonly connected: boolean
  /** Whether the account may create streams, consumers and buckets. If not, `platen streams setup` does. */
  readonly managesStreams: boolean
  readonly writes: WriteHealth
  readonly acks: PubAcks
  readonly longTexts: LongTexts
  readonly clock: ServerClock
  /** A new subject for answers, which nobody else knows. */
  newInbox(): string
  /** Resolves when the client has given the connection up, which it does not do for any known reason. */
  readonly lost: Promise<unknown>
  /** Waits for a connection that was lost less than 4 s ago. Rejects with BusUnavailable. */
  whenConnected(): Promise<void>
  /** Settles like `answer`, or rejects when the connection is lost or closed, as the answer is lost with it. */
  untilDisconnected<Result>(answer: Promise<Result>): Promise<Result>
  /** Rejects with BusUnavailable unless JetStream answers and stores messages. */
  check(): Promise<void>
}

/** How long a request waits for another server, or for the next leader of a stream. */
export const patienceMs = 4_000

/** A cluster without a leader is not reported for this time: requests wait for one, as in a rolling restart. */
export const leaderlessMs = 3_000

/** Throws BusUnavailable when no server answers or the server has no JetStream, JetStreamSilent when that may pass. */
export async function openBus(config: NatsConfig, name: string, log: Logger): Promise<Bus> {
  const nats = await open(config, name).catch((cause) => {
    throw new BusUnavailable(connectFailure(config, cause), { cause })
  })
  const { version = '', server_name: server, cluster } = nats.info ?? {}
  log.info({ server, version, cluster }, 'NATS connected')
  const warning = versionWarning(version)
  if (warning !== undefined) log.warn(warning)

  const stop = new AbortController()
  const jsm = await nats.jetstreamManager({ timeout: 5_000 }).catch(async (cause) => {
    await nats.close()
    const { reason, passes } = jetStreamFailure(config, cause)
    throw passes ? new JetStreamSilent(reason, { cause }) : new BusUnavailable(reason, { cause })
  })
  const queries = await nats.jetstreamManager({ timeout: 1_500, checkAPI: false })
  const clock = new ServerClock(async () => toldTime(await queries.streams.info(clockStream)))
  // At the first start there is no stream yet.
  await clock.ask().catch(() => {})
  const writes = new WriteHealth(log)
  const newInbox = () => createInbox(config.inboxPrefix)
  const acks = new PubAcks(nats, newInbox())
  const askForInfo = async () => {
    // The leader of the cluster answers the request below. While there is none, streams with a leader work.
    if (writes.storedBeforeMs < 1_000) return
    const answer = await nats.request('$JS.API.INFO', '', { timeout: 1_500 })
    const { error } = answer.json<{ error?: { description: string } }>()
    if (error) throw new Error(error.description)
  }
  let looking: Promise<void> | undefined
  /** Concurrent callers share one request. */
  const look = () => {
    looking ??= askForInfo().finally(() => (looking = undefined))
    return looking
  }
  const watch = new ConnectionWatch(nats, {
    servers: serversOf(config).length,
    login: () => loginOf(config),
    look() {
      clock.refresh()
      return look()
    },
    onPublishRefused: (subject) => acks.refused(subject),
    log,
    stopping: stop.signal,
  })
  const requireConnected = () => {
    if (!watch.connected || stop.signal.aborted) throw new BusUnavailable('NATS is not connected')
  }
  return {
    nats,
    jsm,
    queries,
    writes,
    acks,
    clock,
    newInbox,
    longTexts: new LongTexts(),
    js: nats.jetstream({ timeout: patienceMs }),
    managesStreams: config.manageStreams ?? true,
    lost: nats.closed().then((err) => (stop.signal.aborted ? new Promise(() => {}) : err)),
    get connected() {
      return watch.connected && !stop.signal.aborted
    },
    async whenConnected() {
      const mayReturn = () => !watch.connected && watch.disconnectedForMs < patienceMs && !stop.signal.aborted
      while (mayReturn()) await sleep(20, stop.signal)
      requireConnected()
    },
    untilDisconnected: (answer) => watch.untilDisconnected(answer),
    async check() {
      requireConnected()
      await look().catch((cause) => {
        // A short silence may be an election of leaders, which requests wait for.
        if (watch.silentForMs < leaderlessMs) return
        throw new BusUnavailable(`JetStream does not answer: ${cause.message}`, { cause })
      })
      writes.check()
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await nats.close()
    },
  }
}

/**
 * A server that accepts a connection but does not answer, such as one that is starting or stopping, is abandoned after
 * this time.
 */
const dialMs = 5_000
/** Requests wait for a connection for `patienceMs`, so that a second server must be tried in this time. */
const dialOneOfSeveralMs = 1_500

async function open(config: NatsConfig, name: string): Promise<NatsConnection> {
  if (serversOf(config).length === 1) return dial(config, name, dialMs)
  return dial(config, name, dialOneOfSeveralMs).catch((err) => {
    if (err.code === ErrorCode.Timeout) return dial(config, name, dialMs)
    throw err
  })
}

function dial(config: NatsConfig, name: string, timeout: number): Promise<NatsConnection> {
  return connect({
    ...serverAndLogin(config),
    name,
    maxReconnectAttempts: -1,
    // Otherwise the client gives up for ever when two logins in a row are refused.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    // Recording a stack for each request took 7 % of the time to accept a generation.
    noAsyncTraces: true,
    timeout,
    // A server that does not answer two pings is left after 15 s.
    pingInterval: 5_000,
    maxPingOut: 2,
  })
}

/** A warning about messages that a server of this version may lose; undefined for versions without a known fault. */
function versionWarning(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 2 || (major === 2 && minor >= 12)) return undefined
  const remedy = 'use nats-server 2.14 or newer'
  if (major === 2 && minor >= 10)
    return `nats-server ${version} can lose accepted requests when it is killed or loses power; ${remedy}`
  return `nats-server ${version} flushes to disk every two minutes: a power cut can lose accepted requests; ${remedy}`
}
