import gossipRpc from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import { Metadata } from '@grpc/grpc-js'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { channelCredentials } from './channel-credentials.ts'
import type { EventStoreDbConnection, Node } from './url.ts'

export interface Found {
  leader: Node
  /** The living nodes of its cluster. */
  members: readonly Node[]
}

/**
 * The node that the cluster calls its leader and that confirms it; without a cluster, the only node. The client library
 * asks one node only, which may be a suspended former leader. It would also connect to a leader that is suspended,
 * because the kernel of that machine still accepts connections. `known` are asked beside the nodes of the URL, which
 * may be one name for all. Throws after some attempts.
 */
export async function findLeader(connection: EventStoreDbConnection, known: readonly Node[] = []): Promise<Found> {
  const { nodes, discovers, attempts, pauseMs } = connection
  const [only] = nodes
  if (!discovers && only) return { leader: only, members: nodes }
  const until = performance.now() + attempts * pauseMs
  for (;;) {
    const found = await askOnce(connection, known)
    if (found) return found
    if (performance.now() >= until) throw new Error('Failed to discover the leader of the cluster')
    await sleep(pauseMs)
  }
}

/** The answers of the nodes, by node. */
type Answers = ReadonlyMap<string, readonly Member[]>

/** Asks the nodes of the URL and those that they know. Undefined if there is no leader, or it does not answer. */
function askOnce(connection: EventStoreDbConnection, known: readonly Node[]): Promise<Found | undefined> {
  const { promise, resolve } = Promise.withResolvers<Found | undefined>()
  const asked = new Map<string, Node>()
  const answers = new Map<string, readonly Member[]>()
  let pending = 0
  const ask = (node: Node) => {
    if (asked.has(nameOf(node))) return
    asked.set(nameOf(node), node)
    pending++
    void membersOf(node, connection)
      .then(
        (members) => {
          answers.set(nameOf(node), members)
          for (const member of members) ask(member.node)
        },
        // The node is down, or does not answer in time.
        () => {},
      )
      .then(() => {
        pending--
        const votes = pending === 0 ? answers.size : asked.size
        const leader = electedBy(answers, votes)
        if (leader !== undefined || pending === 0) resolve(leader)
      })
  }
  for (const node of [...connection.nodes, ...known]) ask(node)
  return promise
}

/** Whom more than half of the votes name, if it has answered that it is the leader. */
function electedBy(answers: Answers, votes: number): Found | undefined {
  const named = [...answers.values()].flatMap((members) => leaderAmong(members) ?? [])
  for (const leader of named) {
    const name = nameOf(leader)
    const members = answers.get(name) ?? []
    const itself = leaderAmong(members)
    const count = named.filter((other) => nameOf(other) === name).length
    if (2 * count > votes && itself && nameOf(itself) === name)
      return { leader, members: members.map(({ node }) => node) }
  }
  return undefined
}

interface Member {
  node: Node
  isLeader: boolean
}

/** Undefined also if there are two, as in the moment of an election. */
function leaderAmong(members: readonly Member[]): Node | undefined {
  const [leader, ...more] = members.filter(({ isLeader }) => isLeader)
  return more.length === 0 ? leader?.node : undefined
}

/** The living nodes of the cluster that a node knows of. */
function membersOf({ host, port }: Node, { tls, answerMs }: EventStoreDbConnection): Promise<Member[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Member[]>()
  // Uses a connection of its own: a shared one may be waiting to reconnect.
  const options = { 'grpc.use_local_subchannel_pool': 1 }
  const client = new gossipRpc.GossipClient(`${host}:${port}`, channelCredentials(tls), options)
  client.read(new shared.Empty(), new Metadata(), { deadline: Date.now() + answerMs }, (err, cluster) => {
    client.close()
    if (err) reject(err)
    else resolve(cluster.getMembersList().flatMap(memberOf))
  })
  return promise
}

function memberOf(member: gossip.MemberInfo): Member[] {
  const endPoint = member.getHttpEndPoint()
  if (!endPoint || !member.getIsAlive()) return []
  const node = { host: endPoint.getAddress(), port: endPoint.getPort() }
  return [{ node, isLeader: member.getState() === gossip.MemberInfo.VNodeState.LEADER }]
}

const nameOf = ({ host, port }: Node) => `${host}:${port}`
