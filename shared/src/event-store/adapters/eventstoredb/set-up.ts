import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import usersRpc from '@eventstore/db-client/generated/users_grpc_pb.js'
import users from '@eventstore/db-client/generated/users_pb.js'
import { credentials as channels, Metadata } from '@grpc/grpc-js'
import { Explanations } from './explain.ts'
import { quietly } from './quietly.ts'
import { defaultAcl, type ServiceUser } from './service-rights.ts'
import { type EventStoreDbConnection, readEventStoreDbUrl } from './url.ts'

export interface Change {
  what: string
  change: 'created' | 'changed' | 'unchanged' | 'see to it'
}

const projections = ['$by_category', '$by_event_type', '$by_correlation_id']
const timeoutMs = 10_000
const defaultAclType = 'update-default-acl'

/**
 * Makes a user with the rights that the services need, on the server of an administrator's URL. Existing users and rights
 * are kept. Throws an Error that says what the server refused.
 */
export async function* setUpEventStoreDb(
  url: string,
  user: ServiceUser,
  options: { projections: boolean },
): AsyncGenerator<Change> {
  const connection = readEventStoreDbUrl(url)
  const client = quietly(() => EventStoreDBClient.connectionString(connection.connectionString))
  const { credentials } = connection
  try {
    yield { what: `user ${user.name}`, change: await createUser(connection, user) }
    yield { what: 'right to read $all', change: await allowReadingAll(client, credentials, user.name) }
    yield { what: 'default rights in $settings', change: await setDefaultAcl(client, credentials, user.name) }
    for (const name of options.projections ? projections : []) {
      await client.enableProjection(name, { credentials, deadline: timeoutMs })
      yield { what: `projection ${name}`, change: 'changed' }
    }
  } catch (err) {
    throw await new Explanations(connection).explain(err, timeoutMs)
  } finally {
    await client.dispose()
  }
}

type Login = EventStoreDbConnection['credentials']

async function createUser(connection: EventStoreDbConnection, user: ServiceUser): Promise<Change['change']> {
  const { nodes, tls, credentials } = connection
  // A server without TLS has no users.
  if (tls === undefined) return 'unchanged'
  const [{ host, port } = { host: '', port: 0 }] = nodes
  const client = new usersRpc.UsersClient(`${host}:${port}`, channels.createSsl(tls.ca ?? null))
  const options = new users.CreateReq.Options().setLoginName(user.name).setFullName('Platen').setPassword(user.password)
  const metadata = new Metadata()
  const login = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')
  metadata.set('authorization', `Basic ${login}`)
  metadata.set('requires-leader', 'true')
  const { promise, resolve, reject } = Promise.withResolvers<Change['change']>()
  const deadline = Date.now() + timeoutMs
  client.create(new users.CreateReq().setOptions(options), metadata, { deadline }, (err) => {
    if (!err) resolve('created')
    else if (/already exists/i.test(err.message) || err.metadata.get('exception')[0] === 'user-conflict')
      resolve('unchanged')
    else reject(err)
  })
  try {
    return await promise
  } finally {
    client.close()
  }
}

async function allowReadingAll(
  client: EventStoreDBClient,
  credentials: Login,
  user: string,
): Promise<Change['change']> {
  const { metadata = {} } = await client.getStreamMetadata('$all', { credentials, requiresLeader: true })
  const acl = isUserAcl(metadata.acl) ? metadata.acl : {}
  const readers = [acl.readRoles ?? '$admins'].flat()
  if (readers.includes(user)) return 'unchanged'
  const changed = { ...metadata, acl: { ...acl, readRoles: [...readers, user] } }
  await client.setStreamMetadata('$all', changed, { credentials, requiresLeader: true, deadline: timeoutMs })
  return 'changed'
}

/** The client's type also allows the names of the two default lists. */
function isUserAcl(acl: unknown): acl is { readRoles?: string | string[] } {
  return typeof acl === 'object' && acl !== null
}

async function setDefaultAcl(client: EventStoreDBClient, credentials: Login, user: string): Promise<Change['change']> {
  const reading = client.readStream('$settings', {
    credentials,
    requiresLeader: true,
    direction: 'backwards',
    fromRevision: 'end',
  })
  try {
    for await (const { event } of reading) {
      if (event?.type !== defaultAclType) continue
      // Another application may have its own users there.
      const { $userStreamAcl: own } = event.data as {
        $userStreamAcl?: { $r?: string | string[]; $w?: string | string[] }
      }
      const isAllowed = [own?.$r, own?.$w].every((roles) =>
        [roles ?? []].flat().some((role) => role === user || role === '$all'),
      )
      return isAllowed ? 'unchanged' : 'see to it'
    }
  } catch (err) {
    if (!(err instanceof Error && 'type' in err && err.type === 'stream-not-found')) throw err
  }
  const event = jsonEvent({ type: defaultAclType, data: defaultAcl(user) })
  await client.appendToStream('$settings', event, { credentials, requiresLeader: true, deadline: timeoutMs })
  return 'changed'
}
