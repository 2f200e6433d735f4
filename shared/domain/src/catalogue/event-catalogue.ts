import type { EventCatalogue } from '@platen/event-store/event-catalogue.ts'
import { knownCategories, whyUnreadable } from './stored-events.ts'
import { recordedVersion, upcast } from './upcast.ts'

/** What Platen's event store knows of its events. */
export const eventCatalogue: EventCatalogue = {
  categories: knownCategories,
  versionOf: recordedVersion,
  upcast,
  whyUnreadable,
}
