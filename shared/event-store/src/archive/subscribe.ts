import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { movedToArchive } from '../event-catalogue.ts'
import { type Item, type Position, StoreUnavailable, type SubscribeOptions } from '../event-store.ts'
import { archiveError, type PartlyArchived } from './partly-archived.ts'
import { grouped, isRemoved, removalSince } from './read-log.ts'
import type { Removal } from './removals.ts'

/** A view that cannot follow the log is stale. */
const retryMs = 500

/** A subscription that begins with the events that are in the archive only. */
export async function* subscribeWithArchive(log: PartlyArchived, given: SubscribeOptions): AsyncGenerator<Item> {
  const signal = AbortSignal.any([given.signal, log.closing])
  const options = { ...given, signal }
  const place: Place = { at: given.after }
  for (let isRemoved = true; isRemoved && !signal.aborted; ) {
    try {
      const removal = place.at === 'end' ? undefined : await removalSince(log, place.at)
      if (removal) yield* fromArchive(log, options, { place, removal })
      isRemoved = yield* fromLog(log, options, { place, removal })
    } catch (err) {
      if (signal.aborted) return
      const cause = archiveError(err)
      if (!(cause instanceof StoreUnavailable)) throw cause
      yield { kind: 'lost', cause }
      await sleep(retryMs, signal)
    }
  }
}

interface Place {
  at: Position | 'start' | 'end'
}

interface Part {
  /** Where the subscription is. */
  place: Place
  removal: Removal | undefined
}

async function* fromArchive(
  { archived }: PartlyArchived,
  { categories, signal }: SubscribeOptions,
  { place, removal }: Part & { removal: Removal },
): AsyncGenerator<Item> {
  const { through } = removal
  const after = place.at === 'end' ? through : place.at
  for await (const event of archived.read({ after, through, categories, signal })) {
    place.at = event.position
    yield { kind: 'event', event }
  }
  place.at = through
  yield { kind: 'checkpoint', position: through }
}

/** Returns true when events were removed that the subscription has not read, and false when it was ended. */
async function* fromLog(
  log: PartlyArchived,
  options: SubscribeOptions,
  { place, removal }: Part,
): AsyncGenerator<Item, boolean> {
  const done = new AbortController()
  const signal = AbortSignal.any([options.signal, done.signal])
  try {
    for await (const items of grouped(log.store.subscribe({ ...options, after: place.at, signal }), urgency())) {
      if (place.at !== 'end' && (await isRemoved(log, place.at, removal))) return true
      for (const item of items) {
        if (item.kind === 'event') {
          place.at = item.event.position
          log.recent.read(item.event)
        }
        if (item.kind === 'checkpoint') place.at = item.position
        yield isMove(item) ? { kind: 'checkpoint', position: item.event.position } : item
      }
    }
    return false
  } finally {
    done.abort()
  }
}

const isMove = (item: Item): item is Item & { kind: 'event' } =>
  item.kind === 'event' && item.event.type === movedToArchive

/** What follows `caughtUp` is passed on at once. History is in groups. */
function urgency(): (item: Item) => boolean {
  let isLive = false
  return ({ kind }) => {
    if (kind === 'caughtUp') isLive = true
    if (kind === 'lost') isLive = false
    return isLive || kind === 'lost'
  }
}
