/** An event as the log has it. */
export interface RecordedEvent {
  type: string
  data: unknown
  /** `version`: that of the data, from 2 on. */
  metadata: { version?: unknown }
}

export interface RecordedFact {
  stream: string
  type: string
  data: unknown
}

/** A product's description of its events, passed in when a store is opened. */
export interface EventCatalogue {
  /** The categories of its streams: `template` for `template-…`. */
  categories: ReadonlySet<string>
  /** The version in which events of the type are recorded, from 1. */
  versionOf(type: string): number
  /** The data of an event in the newest version of its type. */
  upcast(event: RecordedEvent): unknown
  /** Why an event of a category of the catalogue cannot be read; undefined if it can, or is of another category. */
  whyUnreadable(fact: RecordedFact): string | undefined
}

/** The first event of a stream that an operator has deleted for good, where the event store writes one. */
export const tombstone = '$streamDeleted'

/** The stream that says which part of the log may lack events. See `archive/removals.ts`. */
export const removalsStream = 'archive-removals'

/** The event that says that all events before it in its stream are in the archive. See `archive/moved-stream.ts`. */
export const movedToArchive = 'MovedToArchive'
