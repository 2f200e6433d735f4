import { contentOfAsset, objectKeys } from '@platen/domain/streams/subjects.ts'
import type { EventCopy } from '@platen/event-store/adapters/sqlite/read-copy.ts'
import { movedEventsOf } from '@platen/event-store/archive/moved-stream.ts'
import { removalBegun, removalBegunBy } from '@platen/event-store/archive/removals.ts'
import { epochOf, keysOfName } from '@platen/event-store/archive/segment.ts'
import { movedToArchive } from '@platen/event-store/event-catalogue.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'

/** An object that an event names. */
export interface NamedObject {
  key: string
  /** The generation, the batch, the owner of the asset, or an aggregate with events in the segment. */
  of: string
  recordedAt: Date
  /** The kind of object. Retention deletes PDFs and inputs, but not assets and items of unfinished batches. */
  kind: 'pdf' | 'input' | 'asset' | 'items' | 'archive'
  /** Size and hash of the content, if the event has them. */
  content?: { size: number; sha256: string }
}

/**
 * All objects that the events of the log name, and that something needs: nothing needs the items of a batch that has ended. Those of
 * removed events: see `archivedObjects`.
 */
export function* namedObjects(events: EventCopy): Iterable<NamedObject> {
  // An object that is given up was never named by another event, or its bytes were uploaded again.
  const givenUp = new Set<string>()
  for (const event of events.read(['AssetContentGivenUp'])) givenUp.add(fields(event).object ?? '')
  for (const event of events.read(['GenerationRequested', 'GenerationCompleted', 'AssetStored'])) {
    const named = namedBy(event)
    if (named === undefined || givenUp.has(contentOfAsset(named.key)?.object ?? 'none')) continue
    yield { ...named, of: aggregateIdOf(event.stream), recordedAt: event.recordedAt }
  }
  yield* itemsOfBatches(events)
  yield* segments(events)
}

/** The segments of the archive that have events which were removed from the log, and those before them: readers go through all. */
function* segments(events: EventCopy): Iterable<NamedObject> {
  const seen = new Set<string>()
  for (const event of events.read([removalBegun, movedToArchive])) {
    for (const name of (movedEventsOf(event) ?? removalBegunBy(event))?.segments ?? []) {
      if (seen.has(name)) continue
      seen.add(name)
      const named = { kind: 'archive', of: aggregateIdOf(event.stream), recordedAt: event.recordedAt } as const
      for (const key of Object.values(keysOfName(epochOf(event.position), name))) yield { key, ...named }
    }
  }
}

function* itemsOfBatches(events: EventCopy): Iterable<NamedObject> {
  const ended = new Set<string>()
  for (const { stream } of events.read(['BatchEnded'])) ended.add(stream)
  for (const event of events.read(['BatchCreated'])) {
    const { input } = fields(event)
    if (input === undefined || ended.has(event.stream)) continue
    for (let part = 0; part < input.parts; part++) {
      const key = objectKeys.batchInput(input.name, part)
      yield { key, kind: 'items', of: aggregateIdOf(event.stream), recordedAt: event.recordedAt }
    }
  }
}

/** The object that an event names; undefined if it names none. */
export function namedBy(event: StoredEvent): Pick<NamedObject, 'key' | 'kind' | 'content'> | undefined {
  const { input_key, object_key, sha256, size, bytes, object } = fields(event)
  const content = (length: number | undefined) =>
    sha256 === undefined || length === undefined ? {} : { content: { size: length, sha256 } }
  switch (event.type) {
    case 'GenerationRequested':
      return input_key === undefined ? undefined : { key: input_key, kind: 'input' }
    case 'GenerationCompleted':
      return object_key === undefined ? undefined : { key: object_key, kind: 'pdf', ...content(size) }
    case 'AssetStored': {
      if (sha256 === undefined || object === undefined) return undefined
      const key = objectKeys.asset(aggregateIdOf(event.stream), sha256, object)
      return { key, kind: 'asset', ...content(bytes) }
    }
    default:
      return undefined
  }
}

interface Fields {
  input_key?: string
  object_key?: string
  sha256?: string
  size?: number
  bytes?: number
  object?: string
  input?: { name: string; parts: number }
}

const fields = ({ data }: StoredEvent): Fields => (data ?? {}) as Fields
