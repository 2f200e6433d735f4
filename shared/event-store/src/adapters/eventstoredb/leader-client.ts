import type { EventStoreDBClient } from '@eventstore/db-client'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { StoreUnavailable } from '../../event-store.ts'
import { connect } from './connect.ts'
import { findLeader } from './find-leader.ts'
import type { EventStoreDbConnection, Node } from './url.ts'

/**
 * The client of the leader. In a cluster, the leader is looked for again after each call that got no answer, and the client is
 * replaced if it is another one. The client itself stays with a leader that is suspended: it connects to it again, and each call
 * waits until its deadline, which is no reason for the client to leave.
 */
export class LeaderClient {
  readonly #connection: EventStoreDbConnection
  #node: Node
  #client: EventStoreDBClient
  /** Whether the node is to be confirmed as the leader before another call. */
  #isDoubted: boolean
  #finding: Promise<EventStoreDBClient> | undefined
  #isClosed = false

  /** Connects on the first call. Throws the client's error if the URL cannot be used. */
  constructor(connection: EventStoreDbConnection) {
    const [first = { host: '', port: 0 }] = connection.nodes
    this.#connection = connection
    this.#node = first
    this.#client = connect(first, connection)
    this.#isDoubted = connection.discovers
  }

  /** Throws StoreUnavailable if there is no leader, or none is found in time, and the reason of the signal. */
  async get(timeoutMs: number, signal?: AbortSignal): Promise<EventStoreDBClient> {
    if (!this.#isDoubted) return this.#client
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

  /** A call of this client got no answer, or that of a server that cannot answer. */
  doubt(client: EventStoreDBClient): void {
    if (client === this.#client) this.#isDoubted = this.#connection.discovers
  }

  /** Ends the calls that are open. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#client.dispose()
  }

  async #find(): Promise<EventStoreDBClient> {
    const node = await findLeader(this.#connection).catch((cause) => {
      throw new StoreUnavailable('The event store cannot be reached', { cause })
    })
    if (this.#isClosed) throw new StoreUnavailable('The event store is closed')
    this.#isDoubted = false
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
