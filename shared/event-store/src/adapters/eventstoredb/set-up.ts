import { type EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { connect } from './connect.ts'
import { Explanations } from './explain.ts'
import { findLeader } from './find-leader.ts'
import { type DefaultAcl, defaultAcl, type ServiceUser, withUser } from './service-rights.ts'
import { createUser } from './set-up-user.ts'
import { type EventStoreDbConnection, readEventStoreDbUrl } from './url.ts'

export interface Change {
  what: string
  change: 'created' | 'changed' | 'unchanged'
}

const projections = ['$by_category', '$by_event_type', '$by_correlation_id']
const timeoutMs = 10_000
const defaultAclType = 'update-default-acl'

export interface SetUpOptions {
  projections: boolean
  /** Find out what would be done, and change nothing. */
  dryRun?: boolean
}

/**
 * Makes a user with the rights that the services need, on the server of an administrator's URL. Existing users and rights
 * are kept: a second user has the rights beside the first. Throws an Error that says what the server refused.
 */
export async function* setUpEventStoreDb(
  url: string,
  user: ServiceUser,
  { projections: withProjections, dryRun = false }: SetUpOptions,
): AsyncGenerator<Change> {
  const connection = readEventStoreDbUrl(url)
  const { credentials } = connection
  let client: EventStoreDBClient | undefined
  try {
    const { leader: node } = await findLeader(connection)
    client = connect(node, connection)
    const rights = { client, credentials, user: user.name, dryRun }
    yield { what: `user ${user.name}`, change: await createUser(connection, user, { node, timeoutMs, dryRun }) }
    yield { what: 'right to read $all', change: await allowReadingAll(rights) }
    yield { what: 'default rights in $settings', change: await setDefaultAcl(rights) }
    for (const name of withProjections ? projections : []) {
      if (!dryRun) await client.enableProjection(name, { credentials, deadline: timeoutMs })
      yield { what: `projection ${name}`, change: 'changed' }
    }
  } catch (err) {
    throw await new Explanations(connection).explain(err, timeoutMs)
  } finally {
    await client?.dispose()
  }
}

interface Rights {
  client: EventStoreDBClient
  credentials: EventStoreDbConnection['credentials']
  user: string
  dryRun: boolean
}

async function allowReadingAll({ client, credentials, user, dryRun }: Rights): Promise<Change['change']> {
  const { metadata = {} } = await client.getStreamMetadata('$all', { credentials, requiresLeader: true })
  const acl = isUserAcl(metadata.acl) ? metadata.acl : {}
  const readers = [acl.readRoles ?? '$admins'].flat()
  if (readers.includes(user)) return 'unchanged'
  const changed = { ...metadata, acl: { ...acl, readRoles: [...readers, user] } }
  if (!dryRun)
    await client.setStreamMetadata('$all', changed, { credentials, requiresLeader: true, deadline: timeoutMs })
  return 'changed'
}

/** The client's type also allows the names of the two default lists. */
function isUserAcl(acl: unknown): acl is { readRoles?: string | string[] } {
  return typeof acl === 'object' && acl !== null
}

/** Rights that are there, such as those of another user or another application, are kept. */
async function setDefaultAcl({ client, credentials, user, dryRun }: Rights): Promise<Change['change']> {
  const present = await readDefaultAcl(client, credentials)
  const data = present === undefined ? defaultAcl(user) : withUser(present, user)
  if (data === present) return 'unchanged'
  const event = jsonEvent({ type: defaultAclType, data: { ...data } })
  const options = { credentials, requiresLeader: true, deadline: timeoutMs }
  if (!dryRun) await client.appendToStream('$settings', event, options)
  return 'changed'
}

/** The last one is in force. */
async function readDefaultAcl(
  client: EventStoreDBClient,
  credentials: Rights['credentials'],
): Promise<DefaultAcl | undefined> {
  const options = { credentials, requiresLeader: true, direction: 'backwards', fromRevision: 'end' } as const
  let last: DefaultAcl | undefined
  try {
    // To its end: the client cannot be closed after a read that was left and an append.
    for await (const { event } of client.readStream('$settings', options)) {
      if (event?.type === defaultAclType) last ??= event.data as DefaultAcl
    }
  } catch (err) {
    if (!(err instanceof Error && 'type' in err && err.type === 'stream-not-found')) throw err
  }
  return last
}
