import type { RecordedEvent } from '@platen/event-store/event-catalogue.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { defaultOwnerId } from '../owner/owner-contract.ts'

/** Turns the data of a recorded event into that of the next version. */
type Upcaster = (data: JsonObject) => JsonObject

/**
 * The upcasters of each event type that has changed, from version 1 on. The version of an event is in its metadata; events
 * of version 1 have none.
 */
const upcasters: Readonly<Record<string, readonly Upcaster[]>> = {
  TemplateCreated: [
    // Version 1 had no owners.
    (data) => ({ ...data, owner_id: data.owner_id ?? defaultOwnerId }),
    // Version 2 had only name, html and sample_data. All other fields may be absent.
    (data) => data,
  ],
  TemplateUpdated: [(data) => data],
  // Version 1 had no warnings at first.
  GenerationCompleted: [(data) => ({ ...data, warnings: data.warnings ?? [] })],
}

/** The version in which events of this type are recorded now. */
export function recordedVersion(type: string): number {
  return 1 + (Object.hasOwn(upcasters, type) ? (upcasters[type]?.length ?? 0) : 0)
}

/** The data of an event in the newest version. Data of a version that this program does not know is returned unchanged. */
export function upcast({ type, data, metadata }: RecordedEvent): unknown {
  if (!Object.hasOwn(upcasters, type)) return data
  const version = typeof metadata.version === 'number' ? metadata.version : 1
  return (upcasters[type] ?? []).slice(version - 1).reduce((older, next) => next(older), data as JsonObject)
}
