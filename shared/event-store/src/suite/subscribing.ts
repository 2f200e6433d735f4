import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import type { Item, Position } from '../event-store.ts'
import {
  appendEach,
  dataOf,
  eventsOf,
  givenStore,
  hasData,
  isCaughtUp,
  newEvent,
  numbered,
  type OpenStore,
  range,
  takeUntil,
} from './given-store.ts'

export async function testsOfSubscribing(t: Test, open: OpenStore): Promise<void> {
  t.test('from the start it yields history, caughtUp once, then new events', async (t) => {
    const { store, category, stream } = await givenStore(t, open)
    await store.append(stream, numbered(1, 3), 'none')
    const items = await takeUntil(store, { after: 'start', categories: [category] }, hasData(5), async (item) => {
      if (isCaughtUp(item)) await store.append(stream, numbered(4, 5), 2)
    })
    const kinds = items.map(({ kind }) => kind).filter((kind) => kind !== 'checkpoint')
    t.strictSame(kinds, ['event', 'event', 'event', 'caughtUp', 'event', 'event'])
    t.strictSame(await dataOf(eventsOf(items)), [1, 2, 3, 4, 5])
    t.strictSame(eventsOf(items)[1]?.revision, 1)
  })

  t.test('without categories it yields the events of all streams in order', async (t) => {
    const { store, category } = await givenStore(t, open)
    for (const n of range(1, 6)) await store.append(`${category}${n % 2 ? 'x' : 'y'}-a`, [newEvent(n)], 'any')
    const isOwn = (item: Item) => item.kind === 'event' && item.event.stream.startsWith(category)
    const items = await takeUntil(store, { after: 'start' }, (item) => isOwn(item) && hasData(6)(item))
    t.strictSame(await dataOf(eventsOf(items.filter(isOwn))), range(1, 6))
  })

  t.test('from the end it yields only new events', async (t) => {
    const { store, category, stream } = await givenStore(t, open)
    await appendEach(store, stream, 1, 3)
    const items = await takeUntil(store, { after: 'end', categories: [category] }, hasData(4), async (item) => {
      if (isCaughtUp(item)) await appendEach(store, stream, 4, 4)
    })
    t.strictSame(await dataOf(eventsOf(items)), [4])
  })

  t.test('a checkpoint can be resumed from, also if no event of the log was of the category', async (t) => {
    const { store, category, stream } = await givenStore(t, open)
    await appendEach(store, stream, 1, 2)
    const other = `${category}z`
    const first = await takeUntil(store, { after: 'start', categories: [other] }, isCaughtUp)
    await appendEach(store, `${other}-a`, 3, 3)
    for (const item of first) {
      if (item.kind !== 'checkpoint') continue
      const items = await takeUntil(store, { after: item.position, categories: [other] }, hasData(3))
      t.strictSame(await dataOf(eventsOf(items)), [3])
    }
  })

  t.test('after a position it does not yield the event at the position', async (t) => {
    const { store, category, stream } = await givenStore(t, open)
    const appended = await appendEach(store, stream, 0, 9)
    for (const [index, { position: after }] of appended.slice(0, -1).entries()) {
      const items = await takeUntil(store, { after, categories: [category] }, isCaughtUp)
      t.strictSame(await dataOf(eventsOf(items)), range(index + 1, 9))
    }
  })

  t.test('it can start between the events of one append', async (t) => {
    const { store, category, stream } = await givenStore(t, open)
    await store.append(stream, numbered(1, 4), 'none')
    const [, second] = eventsOf(await takeUntil(store, { after: 'start', categories: [category] }, isCaughtUp))
    if (!second) return t.fail('no second event')
    const rest = await takeUntil(store, { after: second.position, categories: [category] }, isCaughtUp)
    t.strictSame(await dataOf(eventsOf(rest)), [3, 4])
  })

  t.test('200 appends during catch-up are neither lost nor repeated', async (t) => {
    const { store, category, stream } = await givenStore(t, open)
    await store.append(stream, numbered(1, 1_000), 'none')
    const appending = appendEach(store, stream, 1_001, 1_200)
    const items = await takeUntil(store, { after: 'start', categories: [category] }, hasData(1_200))
    await appending
    t.strictSame(await dataOf(eventsOf(items)), range(1, 1_200))
    t.equal(items.filter(isCaughtUp).length <= 1, true, 'caughtUp once for a connection')
  })

  t.test('a category does not match longer names', async (t) => {
    const { store, category } = await givenStore(t, open)
    const appendTo = (stream: string, data: string) => store.append(stream, [newEvent(data)], 'any')
    await appendTo(`${category}-a`, 'own')
    await appendTo(`${category}s-a`, 'longer')
    await appendTo(`${category.slice(0, -1)}-a`, 'shorter')
    await appendTo(`${category}x-${category}-a`, 'inside')
    await appendTo(`${category}-b`, 'last')
    const one = await takeUntil(store, { after: 'start', categories: [category] }, isCaughtUp)
    t.strictSame(await dataOf(eventsOf(one)), ['own', 'last'])
    const two = await takeUntil(store, { after: 'start', categories: [`${category}s`, category] }, isCaughtUp)
    t.strictSame(await dataOf(eventsOf(two)), ['own', 'longer', 'last'])
    for (const categories of [[], ['with-hyphen'], ['']]) {
      await t.rejects(takeUntil(store, { after: 'start', categories }, isCaughtUp), { name: 'InvalidName' })
    }
  })

  t.test('a subscription can resume after a checkpoint', async (t) => {
    const { store, category, stream } = await givenStore(t, open)
    const foreign = `${category}x-a`
    await store.append(stream, [newEvent('before')], 'none')
    await store.append(foreign, numbered(1, 700), 'none')
    const items = await takeUntil(store, { after: 'start', categories: [category] }, isCaughtUp)
    const reached = items.findLast((item) => item.kind === 'checkpoint')
    await store.append(stream, [newEvent('after')], 0)
    if (!reached) return t.pass('this store gives no checkpoints')
    const next = await takeUntil(store, { after: reached.position, categories: [category] }, isCaughtUp)
    t.strictSame(await dataOf(eventsOf(next)), ['after'])
  })

  t.test('an abort ends the iterator', async (t) => {
    const { store, category, stream } = await givenStore(t, open)
    await appendEach(store, stream, 1, 3)
    const idle = new AbortController()
    const items = store.subscribe({ after: 'end', categories: [category], signal: idle.signal })[Symbol.asyncIterator]()
    while ((await items.next()).value?.kind !== 'caughtUp');
    const pending = items.next()
    idle.abort()
    t.strictSame(await Promise.race([pending, sleep(60_000, 'late', { ref: false })]), { done: true, value: undefined })

    const seen: Item[] = []
    const busy = new AbortController()
    for await (const item of store.subscribe({ after: 'start', categories: [category], signal: busy.signal })) {
      seen.push(item)
      if (item.kind === 'event') busy.abort()
    }
    t.equal(eventsOf(seen).length, 1, 'also during history')
    for await (const item of store.subscribe({ after: 'start', signal: AbortSignal.abort() })) t.fail('aborted', item)
  })

  t.test('a slow reader receives every event', async (t) => {
    const { store, category, stream } = await givenStore(t, open)
    const done = new AbortController()
    const items = store.subscribe({ after: 'start', categories: [category], signal: done.signal })
    const seen: Item[] = []
    for await (const item of items) {
      seen.push(item)
      if (isCaughtUp(item) && eventsOf(seen).length === 0) {
        for (let n = 1; n <= 900; n += 300) await store.append(stream, numbered(n, n + 299), 'any')
      }
      if (item.kind === 'event' && item.event.revision % 100 === 0) await sleep(20)
      if (hasData(900)(item)) done.abort()
    }
    t.strictSame(await dataOf(eventsOf(seen)), range(1, 900))
  })

  t.test('several subscriptions each receive every event', async (t) => {
    const { store, category, stream } = await givenStore(t, open)
    const all = Promise.all(
      range(1, 12).map(() => takeUntil(store, { after: 'start', categories: [category] }, hasData(50))),
    )
    await appendEach(store, stream, 1, 50)
    for (const items of await all) t.strictSame(await dataOf(eventsOf(items)), range(1, 50))
  })

  t.test('a position of another store is refused', async (t) => {
    const { store } = await givenStore(t, open)
    for (const position of ['', '7', 'elsewhere:7', 'sqlite:00000000:1', 'esdb:1/1']) {
      const subscribing = takeUntil(store, { after: position as Position }, isCaughtUp)
      await t.rejects(subscribing, { name: 'InvalidPosition' }, JSON.stringify(position))
    }
  })

  t.test('closing ends subscriptions and refuses further calls', async (t) => {
    const { store, category, stream } = await givenStore(t, open)
    const appending = store.append(stream, [newEvent()], 'none')
    const { signal } = new AbortController()
    const ended = (async () => {
      for await (const item of store.subscribe({ after: 'start', categories: [category], signal })) {
        if (isCaughtUp(item)) void store.close()
      }
      return 'ended'
    })()
    await appending
    t.equal(await Promise.race([ended, sleep(60_000, 'pending', { ref: false })]), 'ended')
    await store.close()
    await t.rejects(store.append(stream, [newEvent()], 'any'), { name: 'StoreUnavailable' })
    await t.rejects(dataOf(store.readStream(stream)), { name: 'StoreUnavailable' })
    await t.rejects(takeUntil(store, { after: 'start' }, isCaughtUp), { name: 'StoreUnavailable' })
  })
}
