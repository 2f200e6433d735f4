import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  subscriberExports,
  subscriberImports,
  subscriberPermissions,
  subscriberUser,
} from '@platen/domain/streams/subscriber-account.ts'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

/** The nats-server that `npm start` runs. It listens on loopback only. */
export interface EmbeddedNats {
  port: number
  passwords: NatsPasswords
}

export interface NatsPasswords {
  services: string
  subscriber: string
}

/** The NATS user of the services. */
export const servicesUser = 'platen'

/** nats-server keeps the streams of an account in a folder of this name. */
export const servicesAccount = 'PLATEN'

/** The subject on which the services reach the server's health check. */
export const healthSubject = 'nats.health'

const systemAccount = 'SYS'
const serverHealth = '$SYS.REQ.SERVER.PING.HEALTHZ'

const host = '127.0.0.1'

export const embeddedNatsUrl = (port: number): string => `nats://${host}:${port}`

/** The server's configuration. It contains the passwords, which are kept in no other place. */
export const embeddedNatsPath = (dataDir: string): string => join(dataDir, 'nats.conf')

export interface ServerOptions extends EmbeddedNats {
  storeDir: string
  /** The size of the file system of the store. */
  diskBytes: number
  /** Flush each message to disk. Needs nats-server 2.10. */
  syncAlways: boolean
}

/**
 * The configuration as JSON, which nats-server accepts. Without `http` and `websocket` the server opens one port only,
 * whose clients need a password. The health check is a request to the system account, which has no users.
 */
export function embeddedNatsConfig({ port, passwords, storeDir, diskBytes, syncAlways }: ServerOptions): string {
  const config = {
    host,
    port,
    // The default is a part of the space that is free at the start: a server with a large store would refuse all messages.
    jetstream: { store_dir: storeDir, max_file_store: diskBytes, ...(syncAlways && { sync_interval: 'always' }) },
    system_account: systemAccount,
    accounts: {
      [systemAccount]: { users: [], exports: [{ service: serverHealth }] },
      [servicesAccount]: {
        jetstream: 'enabled',
        users: [{ user: servicesUser, password: passwords.services }],
        exports: subscriberExports,
        imports: [{ service: { account: systemAccount, subject: serverHealth }, to: healthSubject }],
      },
      SUBSCRIBERS: {
        users: [{ user: subscriberUser, password: passwords.subscriber, permissions: subscriberPermissions }],
        imports: subscriberImports(servicesAccount),
      },
    },
  }
  return `${JSON.stringify(config, undefined, 2)}\n`
}

const Account = Type.Object({
  users: Type.Array(Type.Object({ user: Type.String(), password: Type.String({ minLength: 1 }) })),
})
const Config = Compile(Type.Object({ port: Type.Integer(), accounts: Type.Record(Type.String(), Account) }))

/** Undefined if there is no configuration with passwords. */
export async function readEmbeddedNats(dataDir: string): Promise<EmbeddedNats | undefined> {
  const text = await readFile(embeddedNatsPath(dataDir), 'utf8').catch((err) => {
    if (err.code === 'ENOENT') return ''
    throw err
  })
  const config = parseOrUndefined(text)
  if (!Config.Check(config)) return undefined
  const users = Object.values(config.accounts).flatMap((account) => account.users)
  const passwordOf = (name: string) => users.find(({ user }) => user === name)?.password
  const [services, subscriber] = [passwordOf(servicesUser), passwordOf(subscriberUser)]
  if (services === undefined || subscriber === undefined) return undefined
  return { port: config.port, passwords: { services, subscriber } }
}

/** Undefined for a file that is absent or damaged. */
function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
