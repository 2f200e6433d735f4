import usersRpc from '@eventstore/db-client/generated/users_grpc_pb.js'
import users from '@eventstore/db-client/generated/users_pb.js'
import { Metadata, type ServiceError } from '@grpc/grpc-js'
import { channelCredentials } from './channel-credentials.ts'
import type { ServiceUser } from './service-rights.ts'
import type { EventStoreDbConnection, Node } from './url.ts'

export interface UserOptions {
  /** The leader. */
  node: Node
  timeoutMs: number
  /** Only checks whether the user exists. */
  dryRun: boolean
}

/** Creates the user unless it exists. The password of an existing one is kept. */
export async function createUser(
  { tls, credentials }: EventStoreDbConnection,
  user: ServiceUser,
  { node: { host, port }, timeoutMs, dryRun }: UserOptions,
): Promise<'created' | 'unchanged'> {
  // A server without TLS has no users.
  if (tls === undefined) return 'unchanged'
  const client = new usersRpc.UsersClient(`${host}:${port}`, channelCredentials(tls))
  const metadata = new Metadata()
  const login = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')
  metadata.set('authorization', `Basic ${login}`)
  metadata.set('requires-leader', 'true')
  const call = { metadata, deadline: Date.now() + timeoutMs }
  try {
    return (await (dryRun ? exists(client, user.name, call) : isKnown(client, user, call))) ? 'unchanged' : 'created'
  } finally {
    client.close()
  }
}

interface Call {
  metadata: Metadata
  deadline: number
}

/** Creates the user. Resolves to true if it was there. */
function isKnown(client: usersRpc.UsersClient, user: ServiceUser, { metadata, deadline }: Call): Promise<boolean> {
  const options = new users.CreateReq.Options().setLoginName(user.name).setFullName('Platen').setPassword(user.password)
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  client.create(new users.CreateReq().setOptions(options), metadata, { deadline }, (err) => {
    if (!err) resolve(false)
    else if (exceptionOf(err) === 'user-conflict' || /already exists/i.test(err.message)) resolve(true)
    else reject(err)
  })
  return promise
}

async function exists(client: usersRpc.UsersClient, name: string, { metadata, deadline }: Call): Promise<boolean> {
  const options = new users.DetailsReq.Options().setLoginName(name)
  try {
    for await (const _ of client.details(new users.DetailsReq().setOptions(options), metadata, { deadline }))
      return true
    return false
  } catch (err) {
    if (exceptionOf(err as ServiceError) === 'user-not-found' || /not found/i.test((err as Error).message)) return false
    throw err
  }
}

const exceptionOf = (err: ServiceError) => err.metadata?.get('exception')[0]
