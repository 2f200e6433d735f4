import { randomBytes, randomUUID } from 'node:crypto'
import type { Json } from '@platen/foundation/json/json.ts'
import type { Test } from 'tap'
import type { Appended, EventStore, Item, NewEvent, StoredEvent, SubscribeOptions } from '../event-store.ts'

export interface OpenedStore {
  store: EventStore
  /** Opens the same log again, if the adapter can. The caller closes it. */
  reopen?: () => Promise<EventStore>
  /** Releases the resources of the test. The store may be closed already. */
  close: () => Promise<void>
}

export type OpenStore = () => Promise<OpenedStore>

/** A store for this test and a category that no other test uses. */
export async function givenStore(t: Test, open: OpenStore) {
  const { store, reopen, close } = await open()
  t.teardown(close)
  const category = `t${randomBytes(6).toString('hex')}`
  return { store, reopen, category, stream: `${category}-a` }
}

export function newEvent(data: Json = null, type = 'NoteTaken'): NewEvent {
  return { id: randomUUID(), type, data }
}

/** Events with the numbers `from` to `to` as their data. */
export function numbered(from: number, to: number): [NewEvent, ...NewEvent[]] {
  const [first, ...rest] = Array.from({ length: to - from + 1 }, (_, index) => newEvent(from + index))
  if (!first) throw new RangeError('no events')
  return [first, ...rest]
}

/** Appends the numbers one at a time. */
export async function appendEach(store: EventStore, stream: string, from: number, to: number): Promise<Appended[]> {
  const appended: Appended[] = []
  for (const event of numbered(from, to)) appended.push(await store.append(stream, [event], 'any'))
  return appended
}

export async function readAll(events: AsyncIterable<StoredEvent>): Promise<StoredEvent[]> {
  const all: StoredEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

/** The data of the events. */
export async function dataOf(events: AsyncIterable<StoredEvent> | StoredEvent[]): Promise<Json[]> {
  return (Array.isArray(events) ? events : await readAll(events)).map(({ data }) => data)
}

/** The whole numbers from `from` to `to`. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** Collects items up to the first that fulfils `isLast`, then ends the subscription. */
export async function takeUntil(
  store: EventStore,
  options: Omit<SubscribeOptions, 'signal'>,
  isLast: (item: Item) => boolean,
  onItem: (item: Item) => unknown = () => {},
): Promise<Item[]> {
  const items: Item[] = []
  const done = new AbortController()
  for await (const item of store.subscribe({ ...options, signal: done.signal })) {
    items.push(item)
    await onItem(item)
    if (isLast(item)) break
  }
  done.abort()
  return items
}

export function eventsOf(items: readonly Item[]): StoredEvent[] {
  return items.flatMap((item) => (item.kind === 'event' ? [item.event] : []))
}

export const isCaughtUp = (item: Item): boolean => item.kind === 'caughtUp'

export const hasData =
  (data: Json) =>
  (item: Item): boolean =>
    item.kind === 'event' && item.event.data === data
