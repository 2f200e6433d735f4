import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventCopy } from '@platen/event-store/adapters/sqlite/read-copy.ts'
import { loadSegment } from '@platen/event-store/archive/loaded-segment.ts'
import { movedEventsOf } from '@platen/event-store/archive/moved-stream.ts'
import { readManifest } from '@platen/event-store/archive/read-archive.ts'
import { archivedEvent, epochOf, keysOfName } from '@platen/event-store/archive/segment.ts'
import { movedToArchive } from '@platen/event-store/event-catalogue.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { aggregateIdOf, categoryOf } from '@platen/event-store/stream-name.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { type NamedObject, namedBy } from './named-objects.ts'

const eventsAtOnce = 500

interface Reading {
  objects: Pick<ObjectStore, 'get'>
  /** Gets the generations whose erasure was removed from the log, each before its objects are yielded. */
  erased: Set<string>
  /** The segments with these keys of their manifests. Default: all that have removed events. */
  only?: ReadonlySet<string>
  signal: AbortSignal
}

/**
 * The objects that events name which were removed from the log. One segment is in memory, the newest first. Those of a segment that
 * cannot be read are left out: the segment itself is missing or damaged.
 */
export async function* archivedObjects(
  events: EventCopy,
  { objects, erased, only, signal }: Reading,
): AsyncGenerator<NamedObject> {
  const manifests = new Set<string>(only)
  if (only === undefined) {
    for (const event of events.read([movedToArchive])) for (const key of manifestsOf(event)) manifests.add(key)
  }
  for (const key of [...manifests].sort().reverse()) {
    const found: { stream: string; revision: number; named: NamedObject }[] = []
    const loaded = await readManifest(objects, key)
      .then((manifest) => loadSegment(objects, manifest))
      .catch(() => undefined)
    let count = 0
    for (const { stream, line } of loaded?.events() ?? []) {
      if (++count % eventsAtOnce === 0) await nextTurn()
      signal.throwIfAborted()
      if (categoryOf(stream) !== 'generation') continue
      const event = archivedEvent(line())
      const [of, named] = [aggregateIdOf(stream), namedBy(event)]
      if (event.type === 'ContentErased') erased.add(of)
      if (named) found.push({ stream, revision: event.revision, named: { ...named, of, recordedAt: event.recordedAt } })
    }
    for (const { stream, revision, named } of found) {
      const [first] = events.readStream(stream)
      if (first !== undefined && first.revision > revision) yield named
    }
  }
}

/** The keys of the manifests of the segments that have the events of a stream. None for another event than `MovedToArchive`. */
export function manifestsOf(event: StoredEvent): string[] {
  const names = movedEventsOf(event)?.segments ?? []
  return names.map((name) => keysOfName(epochOf(event.position), name).manifest)
}
