import { type EventStoreDBClient, WrongExpectedVersionError } from '@eventstore/db-client'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { EventRemoval, RemovedEvents } from '../../event-removal.ts'
import { connect } from './connect.ts'
import { Explanations } from './explain.ts'
import { findLeader } from './find-leader.ts'
import { requiresLeader } from './leader.ts'
import type { EventStoreDbConnection } from './url.ts'

const timeoutMs = 10_000
const atOnce = 16

/**
 * Truncates streams: events before `$tb` of a stream's metadata are not read any more, and a scavenge of the server removes them.
 * That needs the right to write metadata, which the user of the services does not have.
 */
export class EventStoreDbEventRemoval implements EventRemoval {
  readonly #connection: EventStoreDbConnection
  #client: Promise<EventStoreDBClient> | undefined

  constructor(connection: EventStoreDbConnection) {
    this.#connection = connection
  }

  async remove(removed: readonly RemovedEvents[]): Promise<void> {
    try {
      const client = await this.#connect()
      const rest = [...removed]
      const work = async () => {
        for (let next = rest.pop(); next; next = rest.pop()) {
          // Reads of the client have no time limit.
          await untilAborted(this.#truncate(client, next), AbortSignal.timeout(2 * timeoutMs))
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
    } catch (err) {
      throw await new Explanations(this.#connection).explain(err, timeoutMs)
    }
  }

  async reclaim(): Promise<undefined> {
    return undefined
  }

  async close(): Promise<void> {
    await (await this.#client)?.dispose()
  }

  #connect(): Promise<EventStoreDBClient> {
    this.#client ??= findLeader(this.#connection).then(({ leader }) => connect(leader, this.#connection))
    return this.#client
  }

  /** Other metadata of the stream is kept. */
  async #truncate(client: EventStoreDBClient, { stream, before: truncateBefore }: RemovedEvents): Promise<void> {
    const { credentials } = this.#connection
    const writing = { credentials, requiresLeader, deadline: timeoutMs }
    try {
      await client.setStreamMetadata(stream, { truncateBefore }, { ...writing, expectedRevision: 'no_stream' })
    } catch (err) {
      if (!(err instanceof WrongExpectedVersionError)) throw err
      const { metadata = {} } = await client.getStreamMetadata(stream, { credentials, requiresLeader })
      if (Number(metadata.truncateBefore ?? 0) >= truncateBefore) return
      await client.setStreamMetadata(stream, { ...metadata, truncateBefore }, writing)
    }
  }
}
