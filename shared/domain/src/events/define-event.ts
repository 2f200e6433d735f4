import type { RecordedEvent } from '@platen/event-store/event-catalogue.ts'
import type { Json, JsonObject } from '@platen/foundation/json/json.ts'
import type { Static, TSchema } from 'typebox'

/** The services with a relay, which publishes events to the stream EVENTS. */
export type RelayName = 'template' | 'renderer' | 'notifier'

/** The streams `<category>-<id>` of one kind of things. */
export interface Aggregate {
  /** `template` for the streams `template-tpl_…`. */
  category: string
  /** The service whose relay publishes the events; absent if none is published. */
  relay?: RelayName
}

/** Turns the data of an event into that of the next version. */
export type Upcaster = (data: JsonObject) => JsonObject

/** Values that the public form of an event needs beside its recorded data. */
export interface PublicContext<Opening> {
  /** The id of the aggregate. */
  id: string
  /** The data of the first event of the stream. */
  opening: Opening
}

/** An event as subscribers get it: without content and secrets, as they read the events of all owners. */
export interface PublicForm<Recorded = never, Data extends TSchema = TSchema, Opening = never> {
  /** The part of the subject that names the event: `template.created` in `events.template.created.tpl_…`. */
  subject: string
  data: Data
  toPublic(recorded: Recorded, context: PublicContext<Opening>): Static<Data>
  /** Set if `toPublic` needs the first event of the stream: its type, and a substitute if the log has lost it. */
  opening?: { type: string; lost: Opening }
  /** Headers of the message, for services of Platen. Given the first event of the stream, unless the log has lost it. */
  headers?(opening: Opening): Readonly<Record<string, string>>
}

/** A public form of any event, whose data the caller does not know. */
export interface AnyPublicForm {
  subject: string
  data: TSchema
  toPublic(recorded: Json, context: PublicContext<Json>): Json
  opening?: { type: string; lost: Json }
  headers?(opening: Json): Readonly<Record<string, string>>
}

/** An event of a stream. The example is the first golden file of its version (`npm run generate`). */
interface Example<Data, Opening = never> {
  /** The id of the aggregate. */
  id: string
  data: Data
  opening?: Opening
}

interface Definition<Type extends string, Data extends TSchema> {
  type: Type
  aggregate: Aggregate
  /** One sentence for subscribers and operators. */
  summary: string
  /** The fields that readers rely on. An event with other data is ignored. Later versions may add fields. */
  data: Data
  /** The upcasters: one for each version after version 1, in order. */
  upcasters?: readonly Upcaster[]
  /** A description for people, in parts: `['completed', '2 pages', …]`. Undefined parts are left out. */
  describe(data: Static<Data>): readonly (string | undefined)[]
}

/**
 * An event type: its recorded data, its public form and its description. Everything else about events is derived from
 * these definitions.
 */
export interface EventDefinition<
  Type extends string = string,
  Data extends TSchema = TSchema,
  Published extends AnyPublicForm | undefined = AnyPublicForm | undefined,
> extends Omit<Definition<Type, Data>, 'describe'> {
  describe(data: JsonObject): readonly (string | undefined)[]
  published: Published
  example: Example<Json, Json>
}

/** The event as deciders write it: `{type, data}`. */
export type Recorded<Defined extends EventDefinition> = Defined extends EventDefinition
  ? { type: Defined['type']; data: Static<Defined['data']> }
  : never

/** Declares an event that subscribers get. */
export function defineEvent<const Type extends string, Data extends TSchema, Public extends TSchema, Opening = never>(
  event: Definition<Type, Data> & {
    published: PublicForm<Static<Data>, Public, Opening>
    example: Example<Static<Data>, Opening>
  },
): EventDefinition<Type, Data, AnyPublicForm>
/** Declares an event that is only recorded. */
export function defineEvent<const Type extends string, Data extends TSchema>(
  event: Definition<Type, Data> & { example: Example<Static<Data>> },
): EventDefinition<Type, Data, undefined>
export function defineEvent(event: unknown): unknown {
  return { published: undefined, ...(event as object) }
}

/** The version in which events of the type are recorded. */
export const versionOf = ({ upcasters = [] }: EventDefinition): number => 1 + upcasters.length

/** The data of an event in the newest version. Data of a version that this program does not know is returned unchanged. */
export function upcast({ upcasters = [] }: EventDefinition, { data, metadata }: RecordedEvent): unknown {
  if (upcasters.length === 0) return data
  const version = typeof metadata.version === 'number' ? metadata.version : 1
  return upcasters.slice(version - 1).reduce((older, next) => next(older), data as JsonObject)
}
