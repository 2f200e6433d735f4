import { movedToArchive } from '../event-catalogue.ts'
import type { Item, Position, ReadLogOptions, StoredEvent } from '../event-store.ts'
import { isBefore } from '../place-in-log.ts'
import { charsOf } from './chars-of.ts'
import type { PartlyArchived } from './partly-archived.ts'
import { lastRemoval, type Removal } from './removals.ts'

/** Events are examined before they are passed on. The first groups are small, as many readers want one event. */
const groups = { first: 1, factor: 8, most: 1_000, mostChars: 4_000_000 }

/** Reads the log with the events that are in the archive only. */
export async function* readLogWithArchive(
  log: PartlyArchived,
  { after, ...options }: ReadLogOptions,
): AsyncGenerator<StoredEvent> {
  const { store, archived, recent } = log
  let at = after
  for (let isWhole = false; !isWhole; ) {
    const removal = await removalSince(log, at)
    if (removal) {
      for await (const event of archived.read({ ...options, after: at, through: removal.through })) {
        at = event.position
        yield event
      }
      at = removal.through
    }
    isWhole = true
    for await (const events of grouped(store.readLog({ ...options, after: at }))) {
      // Events that were removed meanwhile are missing in the group, or before its first event. None is missing after the last group:
      // it has the event that says that a stream was moved, which is recorded before a removal.
      isWhole = !(await isRemoved(log, at, removal))
      if (!isWhole) break
      for (const event of events) {
        at = event.position
        recent.read(event)
        if (event.type !== movedToArchive) yield event
      }
    }
  }
}

/** The removal that may have removed events after the position; undefined if none has. */
export async function removalSince(
  { store, recent }: PartlyArchived,
  at: Position | 'start',
): Promise<Removal | undefined> {
  const removal = recent.has(at) ? undefined : await lastRemoval(store)
  return removal && isBefore(at, removal.through) ? removal : undefined
}

/** Whether events after the position may have been removed since `known` was the last removal. */
export async function isRemoved(log: PartlyArchived, at: Position | 'start', known: Removal | undefined) {
  const removal = await removalSince(log, at)
  return removal !== undefined && removal.through !== known?.through
}

/** `isUrgent` is asked of each value, in order: its group ends with it. A group ends early if it has large events. */
export async function* grouped<Value extends StoredEvent | Item>(
  values: AsyncIterable<Value>,
  isUrgent: (value: Value) => boolean = () => false,
): AsyncGenerator<Value[]> {
  let group: Value[] = []
  let chars = 0
  let size = groups.first
  for await (const value of values) {
    group.push(value)
    if (!isUrgent(value) && group.length < size) {
      chars += charsOf(dataOf(value))
      if (chars < groups.mostChars) continue
    }
    yield group
    group = []
    chars = 0
    size = Math.min(size * groups.factor, groups.most)
  }
  if (group.length > 0) yield group
}

function dataOf(value: StoredEvent | Item): unknown {
  if (!('kind' in value)) return value.data
  return value.kind === 'event' ? value.event.data : undefined
}
