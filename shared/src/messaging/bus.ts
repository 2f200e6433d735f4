import { readFile } from 'node:fs/promises'
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  ErrorCode,
  Events,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
} from 'nats'
import { DependencyUnavailable } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'

/** NATS cannot be reached or did not answer in time. */
export class BusUnavailable extends DependencyUnavailable {
  override readonly name = 'BusUnavailable'
}

/** A connection to NATS with JetStream. It reconnects until it is disposed of. */
export interface Bus extends AsyncDisposable {
  readonly nats: NatsConnection
  readonly js: JetStreamClient
  readonly jsm: JetStreamManager
  readonly connected: boolean
  /** Whether the account may create streams, consumers and buckets. If not, `platen streams setup` does. */
  readonly managesStreams: boolean
  /** Rejects with BusUnavailable unless JetStream answers. */
  check(): Promise<void>
}

/** `url` is one server or a list such as `nats://a:4222,nats://b:4222`. `tls://` requires TLS. */
export interface NatsConfig {
  url: string
  user?: string | undefined
  password?: string | undefined
  token?: string | undefined
  /** Path of a credentials file (a JWT and its NKEY seed). */
  credsFile?: string | undefined
  /** Path of a CA certificate (PEM) to trust instead of the system's. */
  caFile?: string | undefined
  /** Whether the account may create streams, consumers and buckets. Default: true. */
  manageStreams?: boolean
}

/** Throws BusUnavailable when no server answers or the server has no JetStream. */
export async function openBus(config: NatsConfig, name: string, log: Logger): Promise<Bus> {
  const { url } = config
  const options: ConnectionOptions = {
    ...(await authOptions(config)),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    // Recording a stack for each request took 7 % of the time to accept a generation.
    noAsyncTraces: true,
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
      if (type === Events.Disconnect || type === Events.Reconnect)
        log.warn(type === Events.Disconnect ? 'NATS disconnected, reconnecting' : 'NATS reconnected')
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
    managesStreams: config.manageStreams ?? true,
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

async function authOptions({ url, user, password, token, credsFile, caFile }: NatsConfig): Promise<ConnectionOptions> {
  const creds = credsFile === undefined ? undefined : await readFile(credsFile)
  return {
    servers: url.split(',').map((server) => server.trim().replace(/^(nats|tls):\/\//, '')),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { pass: password }),
    ...(token !== undefined && { token }),
    ...(creds && { authenticator: credsAuthenticator(creds) }),
    ...(caFile !== undefined && { tls: { caFile } }),
    ...(caFile === undefined && url.startsWith('tls:') && { tls: {} }),
  }
}

/** Converts errors of a missing connection or answer to BusUnavailable and returns other errors unchanged. */
export function asBusUnavailable(err: unknown): unknown {
  if (!(err instanceof NatsError)) return err
  const unavailable: string[] = [
    ErrorCode.Timeout,
    ErrorCode.NoResponders,
    ErrorCode.ConnectionClosed,
    ErrorCode.ConnectionDraining,
    ErrorCode.Disconnect,
    '503',
  ]
  return unavailable.includes(err.code) ? new BusUnavailable('NATS does not answer', { cause: err }) : err
}

function withoutUserinfo(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//')
}
