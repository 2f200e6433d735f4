import { Metadata, status } from '@grpc/grpc-js'
import { failure } from './append.ts'

/** What the node is in its cluster. Alone, it is the leader. */
export type Role =
  | { kind: 'leader' }
  /** Others have elected a leader while it was suspended, which it has not noticed yet. Its log ends after this many events. */
  | { kind: 'deposed'; count: number }
  /** Its copy of the log ends after this many events. Without `leader`, the appends that it forwards get no answer. */
  | { kind: 'follower'; count: number; leader?: { host: string; port: number } }
  /** There is no quorum, or the node is starting. */
  | { kind: 'unready' }

/** Throws if the node does not take this call. The result is the number of events that it knows of. */
export function knownEvents(role: Role, metadata: Metadata): number {
  if (role.kind === 'leader') return Number.POSITIVE_INFINITY
  if (role.kind === 'deposed') return role.count
  if (role.kind === 'unready') throw failure(status.UNAVAILABLE, 'Server Is Not Ready')
  if (metadata.get('requires-leader')[0] !== 'true') return role.count
  if (!role.leader) throw failure(status.UNKNOWN, 'No leader info available in response')
  const found = new Metadata()
  found.set('exception', 'not-leader')
  found.set('leader-endpoint-host', role.leader.host)
  found.set('leader-endpoint-port', String(role.leader.port))
  throw failure(status.NOT_FOUND, 'Leader info available', found)
}

/** Throws if the node cannot append and does not forward the append to a leader either. */
export function requireAppends(role: Role, metadata: Metadata): void {
  knownEvents(role, metadata)
  if (role.kind === 'deposed') throw failure(status.ABORTED, 'Operation timed out: Prepare phase timeout')
  if (role.kind === 'follower' && !role.leader) throw failure(status.ABORTED, 'Operation timed out: Forwarding timeout')
}
