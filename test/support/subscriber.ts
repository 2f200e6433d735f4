import { connect, type NatsConnection } from 'nats'
import { runCli } from './engines.ts'

export interface SubscriberAccount {
  url: string
  /** The URL without the password. */
  server: string
  user: string
  password: string
  inbox_prefix: string
}

/** What `platen nats-url` prints for a Platen with this data folder. */
export async function subscriberAccount({ dataDir }: { dataDir: string }): Promise<SubscriberAccount> {
  return JSON.parse(await runCli({ DATA_DIR: dataDir }, 'nats-url', '--json'))
}

/** Connects to the nats-server child as a subscriber. */
export async function connectSubscriber(platen: { dataDir: string }): Promise<NatsConnection> {
  const { server, user, password: pass, inbox_prefix: inboxPrefix } = await subscriberAccount(platen)
  return connect({ servers: server, user, pass, inboxPrefix })
}
