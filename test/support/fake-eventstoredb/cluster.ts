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

/** A cluster of this node alone, or of this follower and its leader, for `+discover`. */
export function gossipHandler(portOfLeader: () => number): handleUnaryCall<Empty, ClusterInfo> {
  return (_, callback) => {
    const leader = new gossip.MemberInfo()
      .setInstanceId(new shared.UUID().setString(crypto.randomUUID()))
      .setState(gossip.MemberInfo.VNodeState.LEADER)
      .setIsAlive(true)
      .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(portOfLeader()))
    callback(null, new gossip.ClusterInfo().setMembersList([leader]))
  }
}
