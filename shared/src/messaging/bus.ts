import {
  type ConnectionOptions,
  connect,
  ErrorCode,
  Events,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
} from 'nats'
import { PartUnavailable } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'

/** The broker cannot be reached, or gave no answer in time. */
export class BusUnavailable extends PartUnavailable {
  override readonly name = 'BusUnavailable'
}

/** One connection to NATS with JetStream on it. It reconnects by itself, for ever. */
export interface Bus extends AsyncDisposable {
  readonly nats: NatsConnection
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  readonly connected: boolean
  /** Rejects with BusUnavailable unless the broker answers. */
  check(): Promise<void>
}

/** Waits for a server that is not there yet; `url` is `nats://host:port[,host:port]`. */
export async function openBus(url: string, name: string, log: Logger): Promise<Bus> {
  const options: ConnectionOptions = {
    servers: url.split(',').map((server) => server.trim()),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    waitOnFirstConnect: false,
    timeout: 5_000,
  }
  const nats = await connect(options).catch((cause) => {
    throw new BusUnavailable(`NATS_URL: no NATS server answers at ${withoutUserinfo(url)}`, { cause })
  })
  let connected = true
  const watch = async () => {
    for await (const { type } of nats.status()) {
      if (type === Events.Disconnect) connected = false
      if (type === Events.Reconnect) connected = true
      if (type === Events.Disconnect || type === Events.Reconnect) log.warn({ type }, 'NATS connection')
    }
  }
  void watch()
  const jsm = await nats.jetstreamManager({ timeout: 5_000 }).catch(async (cause) => {
    await nats.close()
    throw new BusUnavailable(`NATS_URL: the NATS server at ${withoutUserinfo(url)} has no JetStream`, { cause })
  })
  return {
    nats,
    jsm,
    js: nats.jetstream({ timeout: 4_000 }),
    get connected() {
      return connected
    },
    async check() {
      if (!connected) throw new BusUnavailable('NATS is not connected')
      await jsm.getAccountInfo().catch((cause) => {
        throw new BusUnavailable('JetStream does not answer', { cause })
      })
    },
    async [Symbol.asyncDispose]() {
      connected = false
      await nats.close()
    },
  }
}

/** Turns what nats throws while the broker is away into BusUnavailable; other errors pass as they are. */
export function asBusUnavailable(err: unknown): unknown {
  if (!(err instanceof NatsError)) return err
  const away: string[] = [
    ErrorCode.Timeout,
    ErrorCode.NoResponders,
    ErrorCode.ConnectionClosed,
    ErrorCode.ConnectionDraining,
    ErrorCode.Disconnect,
    '503',
  ]
  return away.includes(err.code) ? new BusUnavailable('NATS does not answer', { cause: err }) : err
}

function withoutUserinfo(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//')
}
