import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import { appendHandler } from './append.ts'
import { batchAppendHandler } from './batch-append.ts'
import { gossipHandler, supportedMethods } from './cluster.ts'
import { EventLog } from './event-log.ts'
import { FaultyLink } from './faulty-link.ts'
import { readHandler } from './read.ts'

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
  /** Appends an event as another application does, to a stream of any name. */
  write(stream: string, type: string, data: object): Promise<void>
  /** Deletes a stream for good, as an operator does. */
  tombstone(stream: string): Promise<void>
  /** The number of events in the log. */
  readonly count: number
  /** Replaces the log with a copy that was made after this many events, and restarts the server. 0: another, empty log. */
  restore(count: number): Promise<void>
  /** Restarts the server with the same log. Closes all connections. */
  restart(): Promise<void>
}

/**
 * A fake EventStoreDB 23.10 node without TLS, in this process and in memory. It implements the part of the gRPC
 * protocol that the adapter uses.
 */
export async function startFakeEventStoreDb({ prepareTimeoutMs = 100 } = {}): Promise<FakeEventStoreDb> {
  const log = new EventLog()
  let losesAnswer = false
  const cuts = { everyEvents: 0, left: 0, sent: 0 }

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
    const handling = { log, prepareTimeoutMs, isAnswered }
    server.addService(streams.StreamsService, {
      append: appendHandler(handling),
      batchAppend: batchAppendHandler(handling),
      read: readHandler({ log, continues }),
    })
    server.addService(features.ServerFeaturesService, { getSupportedMethods: supportedMethods })
    server.addService(gossip.GossipService, { read: gossipHandler(() => link.port) })
    const boundTo = await bind(server, port)
    return { server, port: boundTo }
  }

  let running = await launch(0)
  const restart = async () => {
    running.server.forceShutdown()
    link.cut()
    running = await launch(running.port)
  }
  const link = await FaultyLink.open(running.port)
  return {
    url: `esdb://127.0.0.1:${link.port}?tls=false`,
    port: link.port,
    link,
    loseNextAnswer() {
      losesAnswer = true
    },
    cutSubscriptions(everyEvents, times) {
      Object.assign(cuts, { everyEvents, left: times, sent: 0 })
    },
    get cutsLeft() {
      return cuts.left
    },
    async write(stream, type, data) {
      const body = {
        contentType: 'application/json',
        data: Buffer.from(JSON.stringify(data)),
        metadata: Buffer.alloc(0),
      }
      await log.append(stream, [{ id: crypto.randomUUID(), type, ...body }], 'any')
    },
    async tombstone(stream) {
      await log.tombstone(stream)
    },
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

function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (err, boundTo) => {
      if (err) reject(err)
      else resolve(boundTo)
    })
  })
}
