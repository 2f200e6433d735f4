import type { EventStoreDBClient } from '@eventstore/db-client'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { StoreUnavailable } from '../../event-store.ts'
import { connect } from './connect.ts'
import { findLeader } from './find-leader.ts'
import type { EventStoreDbConnection, Node } from './url.ts'

/**
 * For this time after an answer, the leader is assumed to be the leader. Clusters take longer to elect another one. A
 * leader that was suspended longer may answer from its old log after it resumes, until it notices.
 */
const trustMs = 2_000

/**
 * The client of the leader. In a cluster, the leader is looked up again after each call without an answer, and after a
 * pause, and the client is replaced if the leader has changed. The client library itself stays with a suspended leader:
 * it reconnects to it, and each call waits until its deadline.
 */
export class LeaderClient {
  readonly #connection: EventStoreDbConnection
  #node: Node
  /** The nodes of the cluster, when its leader was found last. */
  #members: readonly Node[] = []
  #client: EventStoreDBClient
  /** When the node is to be confirmed as the leader before another call: on the clock of `performance`. */
  #trustedUntil: number
  #finding: Promise<EventStoreDBClient> | undefined
  #isClosed = false

  /** Connects on the first call. Throws the client's error if the URL cannot be used. */
  constructor(connection: EventStoreDbConnection) {
    const [first = { host: '', port: 0 }] = connection.nodes
    this.#connection = connection
    this.#node = first
    this.#client = connect(first, connection)
    this.#trustedUntil = connection.discovers ? 0 : Number.POSITIVE_INFINITY
  }

  /** Whether the server may have been the leader and be none. */
  get mayBeDeposed(): boolean {
    return this.#connection.discovers
  }

  /** Throws StoreUnavailable if there is no leader, or none is found in time, and the reason of the signal. */
  async get(timeoutMs: number, signal?: AbortSignal): Promise<EventStoreDBClient> {
    if (performance.now() < this.#trustedUntil) return this.#client
    this.#finding ??= this.#find().finally(() => {
      this.#finding = undefined
    })
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      return await untilAborted(this.#finding, signal ? AbortSignal.any([signal, timeout]) : timeout)
    } catch (err) {
      throw err === timeout.reason ? new StoreUnavailable('The event store does not answer') : err
    }
  }

  /** A call of this client got its answer. */
  answered(client: EventStoreDBClient): void {
    if (client !== this.#client || this.#trustedUntil === 0) return
    this.#trustedUntil = Math.max(this.#trustedUntil, performance.now() + trustMs)
  }

  /** A call of this client got no answer, or that of a server that cannot answer. */
  doubt(client = this.#client): void {
    if (client === this.#client && this.mayBeDeposed) this.#trustedUntil = 0
  }

  /** Ends the calls that are open. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#client.dispose()
  }

  async #find(): Promise<EventStoreDBClient> {
    const { leader: node, members } = await findLeader(this.#connection, this.#members).catch((cause) => {
      throw new StoreUnavailable('The event store cannot be reached', { cause })
    })
    if (this.#isClosed) throw new StoreUnavailable('The event store is closed')
    this.#trustedUntil = performance.now() + trustMs
    this.#members = members
    if (node.host !== this.#node.host || node.port !== this.#node.port) {
      const left = this.#client
      this.#node = node
      this.#client = connect(node, this.#connection)
      // Reads and subscriptions of a server that is suspended would wait for it.
      void left.dispose()
    }
    return this.#client
  }
}
