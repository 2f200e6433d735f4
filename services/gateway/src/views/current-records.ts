import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { readBack } from '@platen/event-store/read-back.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { AggregateRecord, RecordFold } from './aggregate-record.ts'
import type { PublishedEvents } from './published-events.ts'

/** The state of an aggregate that belongs to an owner, also after its deletion. */
type OwnedState = { status: 'absent' } | { status: 'active' | 'deleted'; ownerId: string }

/**
 * Aggregates in their current state. The view of a gateway lags behind the log, so events that it lacks are read from
 * the stream of the aggregate: every change that any gateway has acknowledged is seen. While the event store does not
 * answer, the record of the view is returned if no later change was published. Throws DependencyUnavailable.
 */
export interface CurrentRecords<State> {
  /** Also finds a deleted aggregate. Undefined if it is unknown or belongs to another owner. */
  find(id: string, ownerId: string): Promise<AggregateRecord<State> | undefined>
  /** The state of an aggregate of any owner at a revision of its stream. Undefined if it has no events. */
  at(id: string, revision: number): Promise<AggregateRecord<State> | undefined>
}

export interface CurrentRecordsOptions<State> {
  category: 'template' | 'partial'
  view: { record(id: string): AggregateRecord<State> | undefined }
  fold: RecordFold<State>
  store: StreamReader
  published: PublishedEvents
}

export function currentRecords<State extends OwnedState>(options: CurrentRecordsOptions<State>): CurrentRecords<State> {
  const { category, view, fold, store, published } = options
  const stream = (id: string) => `${category}-${id}`
  /**
   * Reads an aggregate of any owner. The view is used only for the owner of the caller, so that an id of another owner
   * takes the same time as an unknown one.
   */
  const current = async (id: string, ownerId: string) => {
    const viewed = ofOwner(view.record(id), ownerId)
    try {
      return await newest({ store, stream: stream(id), fold }, viewed)
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
      return viewed?.revision === revision ? viewed : recordAt({ store, stream: stream(id), fold }, revision)
    },
  }
}

interface RecordStream<State> {
  store: StreamReader
  stream: string
  fold: RecordFold<State>
}

/** A view that is being built lacks more events than this. Then the newest ones are read, whatever it shows. */
const maxLacking = 20

/** A record of the view with the events that it lacks. */
async function newest<State>(
  source: RecordStream<State>,
  viewed: AggregateRecord<State> | undefined,
): Promise<AggregateRecord<State> | undefined> {
  if (viewed === undefined) return recordAt(source)
  const { store, stream, fold } = source
  let record = viewed
  for await (const event of store.readStream(stream, { from: viewed.revision + 1, limit: maxLacking })) {
    record = fold.evolve(record, event)
  }
  return record.revision < viewed.revision + maxLacking ? record : recordAt(source)
}

/** The record at a revision, by default at the end: its last whole event, and what came after it. */
async function recordAt<State>(
  { store, stream, fold }: RecordStream<State>,
  revision?: number,
): Promise<AggregateRecord<State> | undefined> {
  const newestFirst: StoredEvent[] = []
  for await (const event of readBack(store, stream, { from: revision ?? 'end' })) {
    newestFirst.push(event)
    if (fold.isWhole(event)) break
  }
  return newestFirst.reduceRight<AggregateRecord<State> | undefined>(fold.evolve, undefined)
}

function ofOwner<State extends OwnedState>(
  record: AggregateRecord<State> | undefined,
  ownerId: string,
): AggregateRecord<State> | undefined {
  return record && record.state.status !== 'absent' && record.state.ownerId === ownerId ? record : undefined
}
