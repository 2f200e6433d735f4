import type { Gossip } from './cluster.ts'
import { EventLog } from './event-log.ts'
import { type FakeEventStoreDb, type FakeOptions, startFakeEventStoreDb } from './start-fake-eventstoredb.ts'

export interface FakeCluster extends AsyncDisposable {
  /** The value for EVENT_STORE_URL: all nodes. */
  url: string
  /** The first one is the leader at the start. */
  nodes: readonly [FakeEventStoreDb, FakeEventStoreDb, FakeEventStoreDb]
  /** Suspends a node. The kernel still accepts connections to it, and the other nodes keep its role. */
  freeze(node: FakeEventStoreDb): void
  /** The nodes that are not suspended choose a leader. One that is suspended does not notice that it is none any more. */
  elect(leader: FakeEventStoreDb): void
  /** The other nodes notice that the leader is gone, and have not elected another one yet. */
  loseLeader(): void
  /** No node has a quorum, until `elect`. */
  loseQuorum(): void
  /** The network of a node is down: it keeps its role, and its connections transmit nothing. */
  cutOff(node: FakeEventStoreDb): void
  /** The network of a node is up. One that was the leader answers from its old log until `elect`. */
  rejoin(node: FakeEventStoreDb): Promise<void>
  /** Resumes a node. One that was the leader answers from its old log until `elect`. */
  thaw(node: FakeEventStoreDb): void
}

/** Three nodes of a fake EventStoreDB, which share one log. */
export async function startFakeCluster(options: Pick<FakeOptions, 'tls'> = {}): Promise<FakeCluster> {
  await using resources = new AsyncDisposableStack()
  const log = new EventLog()
  /** Suspended or cut off. */
  const frozen = new Set<FakeEventStoreDb>()
  const believed = new Map<FakeEventStoreDb, FakeEventStoreDb>()
  const nodes: FakeEventStoreDb[] = []
  const start = async () => {
    const gossip = (): Gossip => ({ ports: nodes.map(({ port }) => port), leader: believed.get(node)?.port })
    const node: FakeEventStoreDb = resources.use(await startFakeEventStoreDb({ ...options, log, gossip }))
    nodes.push(node)
    return node
  }
  const cluster = [await start(), await start(), await start()] as const
  const elect = (leader: FakeEventStoreDb) => {
    const { port } = leader
    for (const node of nodes) {
      const isDeposed = node.role.kind === 'leader' && node !== leader && frozen.has(node)
      if (isDeposed) node.role = { kind: 'deposed', count: log.events.length }
      if (frozen.has(node)) continue
      believed.set(node, leader)
      const follower = { kind: 'follower', count: log.events.length, leader: { host: '127.0.0.1', port } } as const
      node.role = node === leader ? { kind: 'leader' } : follower
    }
  }
  elect(cluster[0])
  const running = resources.move()
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join()
  return {
    url: options.tls ? `esdb://admin:changeit@${hosts}` : `esdb://${hosts}?tls=false`,
    nodes: cluster,
    elect,
    loseLeader() {
      for (const node of nodes) {
        if (frozen.has(node) || node.role.kind === 'leader') continue
        believed.delete(node)
        node.role = { kind: 'follower', count: log.events.length }
      }
    },
    loseQuorum() {
      for (const node of nodes) {
        believed.delete(node)
        node.role = { kind: 'unready' }
      }
    },
    cutOff(node) {
      frozen.add(node)
      node.link.silence()
    },
    async rejoin(node) {
      frozen.delete(node)
      await node.link.restore()
    },
    freeze(node) {
      frozen.add(node)
      node.link.freeze()
    },
    thaw(node) {
      frozen.delete(node)
      node.link.thaw()
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
