import {
  type EventCatalogue,
  movedToArchive,
  type RecordedFact,
  tombstone,
} from '@platen/event-store/event-catalogue.ts'
import { aggregateIdOf, categoryOf } from '@platen/event-store/stream-name.ts'
import { Compile } from 'typebox/compile'
import { upcast, versionOf } from '../events/define-event.ts'
import { definitionOf, events } from './events.ts'

const checks = new Map(Object.values(events).map(({ type, data }) => [type, Compile(data)]))

/** The categories of Platen's streams. */
export const knownCategories: ReadonlySet<string> = new Set(
  Object.values(events).map(({ aggregate }) => aggregate.category),
)

/** One token of a NATS subject, and a safe part of a path. Slugs have their owner's id before a dot. */
const aggregateId = /^[A-Za-z0-9_-]{1,100}(\.[a-z0-9-]{1,100})?$/

/** What the event store and the archive record of a stream, whatever it is about. Folds ignore it. */
const ofEveryCategory = new Set([tombstone, movedToArchive])

/** Events that cannot be read are written by other versions, other applications and operators' tools. */
function whyUnreadable({ stream, type, data }: RecordedFact): string | undefined {
  const category = categoryOf(stream)
  if (!knownCategories.has(category) || ofEveryCategory.has(type)) return undefined
  if (!aggregateId.test(aggregateIdOf(stream))) return 'the name of the stream has no valid id'
  const event = definitionOf(type)
  if (event === undefined) return 'unknown type'
  if (event.aggregate.category !== category) return `the type belongs to ${event.aggregate.category} streams`
  const check = checks.get(type)
  if (check === undefined || check.Check(data)) return undefined
  const [first] = check.Errors(data)
  return `wrong data: ${first?.instancePath || '/'} ${first?.message}`
}

/** The catalogue of Platen's events, for the event store. */
export const eventCatalogue: EventCatalogue = {
  categories: knownCategories,
  versionOf(type) {
    const event = definitionOf(type)
    return event === undefined ? 1 : versionOf(event)
  },
  upcast(recorded) {
    const event = definitionOf(recorded.type)
    return event === undefined ? recorded.data : upcast(event, recorded)
  },
  whyUnreadable,
}
