import type { Json } from '@platen/foundation/json/json.ts'
import type { Static, TSchema } from 'typebox'
import type { GenerationRequested } from '../generation/generation.ts'

/** What the public form of an event needs beside its recorded data. */
export interface PublicContext {
  /** The id of the aggregate. */
  id: string
  /** The request of a generation, from the first event of its stream. Only for the events that `needsRequest`. */
  request: GenerationRequested['data']
}

/** An event type as subscribers get it. */
export interface PublishedEvent<Recorded = never, Data extends TSchema = TSchema> {
  /** Of the recorded event and of the schema. A release that adds a field raises it. */
  version: number
  summary: string
  data: Data
  example: Static<Data>
  /** The public form of the recorded data, in its newest version. */
  toPublic(recorded: Recorded, context: PublicContext): Static<Data>
  needsRequest?: boolean
}

/** Checks that the example and the public form have the type of the schema. */
export function publishedEvent<Recorded, Data extends TSchema>(
  event: PublishedEvent<Recorded, Data>,
): PublishedEvent<Recorded, Data> {
  return event
}

/** An event of any type, whose data the caller does not know. */
export type AnyPublishedEvent = Omit<PublishedEvent, 'toPublic'> & {
  toPublic(recorded: Json, context: PublicContext): Json
}
