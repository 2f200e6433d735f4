import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startFakeCluster } from './fake-eventstoredb/start-fake-cluster.ts'
import type { FakeEventStoreDb } from './fake-eventstoredb/start-fake-eventstoredb.ts'

// Runs three nodes of a fake EventStoreDB in a process of its own, until a signal. A request such as POST /kill/0 strikes a node.

const cluster = await startFakeCluster()
/** A server that does not lead knows the log up to the last election. */
let leader: FakeEventStoreDb = cluster.nodes[0]

const actions: Record<string, (node: FakeEventStoreDb) => unknown> = {
  kill: (node) => node.link.refuse(),
  async start(node) {
    await node.restart()
    await node.link.restore()
  },
  suspend: (node) => cluster.freeze(node),
  resume: (node) => cluster.thaw(node),
  cutOff: (node) => cluster.cutOff(node),
  rejoin: (node) => cluster.rejoin(node),
  fillDisk: (node) => node.fillDisk(),
  elect(node) {
    leader = node
    cluster.elect(node)
  },
  /** A node that was away learns who leads, and gets the log. */
  catchUp: () => cluster.elect(leader),
  loseLeader: () => cluster.loseLeader(),
  loseQuorum: () => cluster.loseQuorum(),
}

const control = createServer(async (request, response) => {
  const [, action = '', at = ''] = (request.url ?? '').split('/')
  const node = cluster.nodes[Number(at)]
  const act = actions[action]
  if (!node || !act) return response.writeHead(404).end()
  await act(node)
  return response.writeHead(204).end()
})
control.listen(0, '127.0.0.1', () => {
  const { port } = control.address() as AddressInfo
  console.log(JSON.stringify({ url: cluster.url, control: `http://127.0.0.1:${port}` }))
})
