import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js'
import users from '@eventstore/db-client/generated/users_grpc_pb.js'
import { type Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js'
import { Access } from './access.ts'
import { appendHandler, failure } from './append.ts'
import { batchAppendHandler } from './batch-append.ts'
import { type Gossip, gossipHandler, supportedMethods } from './cluster.ts'
import { EventLog } from './event-log.ts'
import { FaultyLink } from './faulty-link.ts'
import { knownEvents, type Role, requireAppends } from './members.ts'
import { readHandler } from './read.ts'
import { createUserHandler, userDetailsHandler } from './users.ts'

export interface FakeEventStoreDb extends AsyncDisposable {
  /** The value for EVENT_STORE_URL. */
  url: string
  port: number
  /** The connection to the server, with its faults. */
  link: FaultyLink
  /** Writes the next append, loses its response and closes all connections. */
  loseNextAnswer(): void
  /** Ends a subscription after `everyEvents` events, `times` times, as the server does to slow readers. */
  cutSubscriptions(everyEvents: number, times: number): void
  readonly cutsLeft: number
  /** Starts to refuse reads without a leader, to answer others from an old state, and so on. */
  role: Role
  /** Drops live subscriptions that are further behind than this, as version 23.10 does after a burst. */
  dropSlowReaders(maxBacklog: number): void
  /** Adds a user without rights, or changes a password. Only a fake with TLS checks credentials, as the real server does. */
  setUser(name: string, password: string): void
  /** The server ends at the next append, until `restart`. */
  fillDisk(): void
  /** Appends an event as another application does, to a stream of any name. */
  write(stream: string, type: string, data: unknown, metadata?: unknown): Promise<void>
  /** Deletes a stream for good, as an operator does. */
  tombstone(stream: string): Promise<void>
  /** What was written as the metadata of a stream, oldest first. */
  metadataOf(stream: string): unknown[]
  /** Removes the truncated events of all streams, as a scavenge does that an operator starts. */
  scavenge(): void
  /** The number of events in the log. */
  readonly count: number
  /** Replaces the log with a copy that was made after this many events, and restarts the server. 0: another, empty log. */
  restore(count: number): Promise<void>
  /** Restarts the server with the same log. Closes all connections. */
  restart(): Promise<void>
}

export interface FakeOptions {
  prepareTimeoutMs?: number
  /** Certificate and key in PEM. Default: without TLS and users. */
  tls?: { key: string; cert: string }
  /** One that it shares with other nodes of its cluster. */
  log?: EventLog
  /** Default: a cluster of this node alone. */
  gossip?: () => Gossip
}

/**
 * A fake EventStoreDB 23.10 node, in this process and in memory. It implements the part of the gRPC protocol that the
 * adapter uses.
 */
export async function startFakeEventStoreDb({
  prepareTimeoutMs = 100,
  tls,
  log = new EventLog(),
  gossip: known,
}: FakeOptions = {}): Promise<FakeEventStoreDb> {
  const access = new Access(log)
  let role: Role = { kind: 'leader' }
  let isFull = false
  let maxBacklog = Number.POSITIVE_INFINITY
  const credentials = tls
    ? ServerCredentials.createSsl(null, [{ private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) }])
    : ServerCredentials.createInsecure()
  let losesAnswer = false
  const cuts = { everyEvents: 0, left: 0, sent: 0 }

  const alone = () => ({ ports: [link.port], leader: link.port })
  const isAnswered = () => {
    if (!losesAnswer) return true
    losesAnswer = false
    link.cut()
    return false
  }
  const continues = () => {
    if (cuts.left === 0 || ++cuts.sent % cuts.everyEvents !== 0) return true
    cuts.left--
    return false
  }
  const launch = async (port: number) => {
    const server = new Server({ 'grpc.max_receive_message_length': 17 * 1_048_576 })
    const handling = {
      log,
      prepareTimeoutMs,
      isAnswered,
      admit(metadata: Metadata, stream: string) {
        if (isFull) end()
        requireAppends(role, metadata)
        if (tls) access.require(metadata, '$w', stream)
      },
    }
    const reading = {
      log,
      continues,
      maxBacklog: () => maxBacklog,
      admit(metadata: Metadata, stream = '$all') {
        const known = knownEvents(role, metadata)
        if (tls) access.require(metadata, '$r', stream)
        return known
      },
    }
    server.addService(streams.StreamsService, {
      append: appendHandler(handling),
      batchAppend: batchAppendHandler(handling),
      read: readHandler(reading),
    })
    server.addService(features.ServerFeaturesService, { getSupportedMethods: supportedMethods })
    server.addService(users.UsersService, {
      create: createUserHandler(access),
      details: userDetailsHandler(access),
    })
    server.addService(gossip.GossipService, { read: gossipHandler(known ?? alone) })
    const boundTo = await bind(server, port, credentials)
    return { server, port: boundTo }
  }

  let running = await launch(0)
  const end = () => {
    running.server.forceShutdown()
    link.cut()
    throw failure(status.UNAVAILABLE, 'the server ended')
  }
  const restart = async () => {
    isFull = false
    running.server.forceShutdown()
    link.cut()
    running = await launch(running.port)
  }
  const link = await FaultyLink.open(running.port)
  return {
    url: tls ? `esdb://admin:changeit@127.0.0.1:${link.port}` : `esdb://127.0.0.1:${link.port}?tls=false`,
    port: link.port,
    link,
    get role() {
      return role
    },
    set role(next) {
      role = next
    },
    dropSlowReaders(backlog) {
      maxBacklog = backlog
    },
    setUser: (name, password) => access.setUser(name, password),
    fillDisk() {
      isFull = true
    },
    loseNextAnswer() {
      losesAnswer = true
    },
    cutSubscriptions(everyEvents, times) {
      Object.assign(cuts, { everyEvents, left: times, sent: 0 })
    },
    get cutsLeft() {
      return cuts.left
    },
    async write(stream, type, data, metadata) {
      const body = {
        contentType: 'application/json',
        data: Buffer.from(JSON.stringify(data)),
        metadata: metadata === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(metadata)),
      }
      await log.append(stream, [{ id: crypto.randomUUID(), type, ...body }], 'any')
    },
    async tombstone(stream) {
      await log.tombstone(stream)
    },
    metadataOf: (stream) =>
      (log.stream(`$$${stream}`) ?? []).map(({ data }) => JSON.parse(Buffer.from(data).toString())),
    scavenge: () => log.scavenge(),
    get count() {
      return log.events.length
    },
    async restore(count) {
      log.restore(count)
      await restart()
    },
    restart,
    async [Symbol.asyncDispose]() {
      await link[Symbol.asyncDispose]()
      running.server.forceShutdown()
    },
  }
}

function bind(server: Server, port: number, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, credentials, (err, boundTo) => {
      if (err) reject(err)
      else resolve(boundTo)
    })
  })
}
