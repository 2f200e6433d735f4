import gossipRpc from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import { Metadata } from '@grpc/grpc-js'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { channelCredentials } from './channel-credentials.ts'
import type { EventStoreDbConnection, Node } from './url.ts'

/**
 * The node that the nodes of a cluster call its leader, and that says so itself; otherwise the only node. The client asks only one node, which may be
 * a leader that was suspended and has not noticed that another one was elected. And it would connect to a suspended leader,
 * which the others call their leader until they elect another one: its kernel accepts connections. Throws after some attempts.
 */
export async function findLeader(connection: EventStoreDbConnection): Promise<Node> {
  const { nodes, discovers, attempts, pauseMs } = connection
  const [only] = nodes
  if (!discovers && only) return only
  const until = performance.now() + attempts * pauseMs
  for (;;) {
    const leader = await askOnce(connection)
    if (leader) return leader
    if (performance.now() >= until) throw new Error('Failed to discover the leader of the cluster')
    await sleep(pauseMs)
  }
}

/** What the nodes said: by the name of the node, that of the leader; undefined if it knows of none. */
type Answers = ReadonlyMap<string, string | undefined>

/** Asks the nodes of the URL, and those that they know of. Undefined: there is no leader, or it does not answer. */
function askOnce(connection: EventStoreDbConnection): Promise<Node | undefined> {
  const { promise, resolve } = Promise.withResolvers<Node | undefined>()
  const asked = new Map<string, Node>()
  const answers = new Map<string, string | undefined>()
  let pending = 0
  const ask = (node: Node) => {
    if (asked.has(nameOf(node))) return
    asked.set(nameOf(node), node)
    pending++
    void membersOf(node, connection)
      .then(
        (members) => {
          answers.set(nameOf(node), leaderAmong(members))
          for (const member of members) ask(member.node)
        },
        // It is away, or does not answer in time.
        () => {},
      )
      .then(() => {
        pending--
        const votes = pending === 0 ? answers.size : asked.size
        const leader = electedBy(answers, votes)
        if (leader !== undefined || pending === 0) resolve(leader === undefined ? undefined : asked.get(leader))
      })
  }
  connection.nodes.forEach(ask)
  return promise
}

/** Whom more than half of the votes name, if it has answered that it is the leader. */
function electedBy(answers: Answers, votes: number): string | undefined {
  const counts = new Map<string, number>()
  for (const leader of answers.values()) if (leader !== undefined) counts.set(leader, (counts.get(leader) ?? 0) + 1)
  return [...counts].find(([leader, count]) => 2 * count > votes && answers.get(leader) === leader)?.[0]
}

interface Member {
  node: Node
  isLeader: boolean
}

/** Undefined also if there are two, as in the moment of an election. */
function leaderAmong(members: readonly Member[]): string | undefined {
  const [leader, ...more] = members.filter(({ isLeader }) => isLeader)
  return leader && more.length === 0 ? nameOf(leader.node) : undefined
}

/** The living nodes of the cluster that a node knows of. */
function membersOf({ host, port }: Node, { tls, answerMs }: EventStoreDbConnection): Promise<Member[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Member[]>()
  // A connection of its own: a shared one may be waiting for its next attempt.
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
