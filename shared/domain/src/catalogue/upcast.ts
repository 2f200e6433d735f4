import type { RecordedEvent } from '@platen/event-store/event-catalogue.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'

/** Turns the data of a recorded event into that of the next version. */
type Upcaster = (data: JsonObject) => JsonObject
type Upcasters = Readonly<Record<string, readonly Upcaster[]>>

/**
 * The upcasters of each event type that has changed since a release, from version 1 on. The version of an event is in its
 * metadata; events of version 1 have none.
 */
const upcasters: Upcasters = {}

/** The version in which events of this type are recorded now. */
export function recordedVersion(type: string, known = upcasters): number {
  return 1 + (Object.hasOwn(known, type) ? (known[type]?.length ?? 0) : 0)
}

/** The data of an event in the newest version. Data of a version that this program does not know is returned unchanged. */
export function upcast({ type, data, metadata }: RecordedEvent, known = upcasters): unknown {
  if (!Object.hasOwn(known, type)) return data
  const version = typeof metadata.version === 'number' ? metadata.version : 1
  return (known[type] ?? []).slice(version - 1).reduce((older, next) => next(older), data as JsonObject)
}
