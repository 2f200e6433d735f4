import type { StoredEvent } from '@platen/event-store/event-store.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { AggregateRecord, EvolveRecord } from './aggregate-record.ts'
import type { PublishedEvents } from './published-events.ts'

/** The state of an aggregate that belongs to an owner, also after its deletion. */
type OwnedState = { status: 'absent' } | { status: 'active' | 'deleted'; ownerId: string }

/**
 * Aggregates as they are now. The view of a gateway lags behind the log, so the events that it lacks are read from the
 * aggregate's stream: a change that any gateway has acknowledged is seen. While the event store does not answer, a record of
 * the view is returned if no later change of it was published. Throws DependencyUnavailable.
 */
export interface CurrentRecords<State> {
  /** Also of a deleted aggregate; undefined for an unknown one, and for that of another owner. */
  find(id: string, ownerId: string): Promise<AggregateRecord<State> | undefined>
  /** As the events up to a revision of its stream leave it, of any owner; undefined if there are none. */
  at(id: string, revision: number): Promise<AggregateRecord<State> | undefined>
}

export interface CurrentRecordsOptions<State> {
  category: 'template' | 'partial'
  view: { record(id: string): AggregateRecord<State> | undefined }
  evolve: EvolveRecord<State>
  store: StreamReader
  published: PublishedEvents
}

export function currentRecords<State extends OwnedState>(options: CurrentRecordsOptions<State>): CurrentRecords<State> {
  const { category, view, evolve, store, published } = options
  const stream = (id: string) => `${category}-${id}`
  /** Of any owner. The view is used for this owner's only, so that another's takes the same way as an unknown id. */
  const current = async (id: string, ownerId: string) => {
    const viewed = ofOwner(view.record(id), ownerId)
    try {
      return await foldOn({ store, stream: stream(id), evolve }, viewed)
    } catch (err) {
      if (!(err instanceof DependencyUnavailable) || viewed === undefined) throw err
      const newest = await published.newestOf(category, id)
      if (newest !== undefined && newest.revision > viewed.revision) throw err
      return viewed
    }
  }
  return {
    find: async (id, ownerId) => ofOwner(await current(id, ownerId), ownerId),
    async at(id, revision) {
      const viewed = view.record(id)
      const before = viewed && viewed.revision <= revision ? viewed : undefined
      return foldOn({ store, stream: stream(id), evolve }, before, revision)
    },
  }
}

interface Fold<Folded> {
  store: StreamReader
  stream: string
  evolve: (before: Folded | undefined, event: StoredEvent) => Folded
}

/** Goes on with a fold: applies the events of the stream that come after it, up to the revision `to`. */
export async function foldOn<Folded extends { revision: number }>(
  { store, stream, evolve }: Fold<Folded>,
  before: Folded | undefined,
  to = Number.POSITIVE_INFINITY,
): Promise<Folded | undefined> {
  let folded = before
  const from = before === undefined ? 0 : before.revision + 1
  if (from > to) return folded
  const options = Number.isFinite(to) ? { from, limit: to + 1 - from } : { from }
  for await (const event of store.readStream(stream, options)) folded = evolve(folded, event)
  return folded
}

function ofOwner<State extends OwnedState>(
  record: AggregateRecord<State> | undefined,
  ownerId: string,
): AggregateRecord<State> | undefined {
  return record && record.state.status !== 'absent' && record.state.ownerId === ownerId ? record : undefined
}
