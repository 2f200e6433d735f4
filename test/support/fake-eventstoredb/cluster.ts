import gossip, { type ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js'
import features, { type SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared, { type Empty } from '@eventstore/db-client/generated/shared_pb.js'
import type { handleUnaryCall } from '@grpc/grpc-js'

/** The client reads this before it appends in batches. */
export const supportedMethods: handleUnaryCall<Empty, SupportedMethods> = (_, callback) => {
  const batchAppend = new features.SupportedMethod()
    .setServiceName('event_store.client.streams.streams')
    .setMethodName('batchappend')
    .setFeaturesList(['deadline_duration'])
  callback(null, new features.SupportedMethods().setEventStoreServerVersion('23.10.0').setMethodsList([batchAppend]))
}

/** The ports of the nodes, and of the one that this node believes to be the leader. */
export interface Gossip {
  ports: readonly number[]
  leader: number | undefined
}

/** What the node knows of its cluster. */
export function gossipHandler(known: () => Gossip): handleUnaryCall<Empty, ClusterInfo> {
  return (_, callback) => {
    const { ports, leader } = known()
    callback(null, new gossip.ClusterInfo().setMembersList(ports.map((port) => member(port, port === leader))))
  }
}

function member(port: number, isLeader: boolean) {
  const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState
  return new gossip.MemberInfo()
    .setInstanceId(new shared.UUID().setString(crypto.randomUUID()))
    .setState(isLeader ? LEADER : FOLLOWER)
    .setIsAlive(true)
    .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(port))
}
