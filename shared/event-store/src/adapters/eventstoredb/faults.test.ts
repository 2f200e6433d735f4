import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { runFake } from '@platen/test-support/engines.ts'
import { FaultyLink } from '@platen/test-support/fake-eventstoredb/faulty-link.ts'
import { startFakeEventStoreDb } from '@platen/test-support/fake-eventstoredb/start-fake-eventstoredb.ts'
import t, { type Test } from 'tap'
import type { Item, Position, ReadOptions } from '../../event-store.ts'
import {
  appendEach,
  dataOf,
  eventsOf,
  hasData,
  isCaughtUp,
  newEvent,
  numbered,
  range,
  readAll,
  takeUntil,
} from '../../suite/given-store.ts'
import { openEventStore } from '../open-event-store.ts'
import { EventStoreDbEventStore } from './store.ts'
import { readEventStoreDbUrl } from './url.ts'

// Most of these tests wait for timeouts, and a busy machine makes them slow.
t.setTimeout(600_000)

const unavailable = { name: 'StoreUnavailable' }
const unknown = { name: 'OutcomeUnknown' }
const soon = { timeoutMs: 1_000 }

/** A fake server, and a store that is connected to it through a link of its own. */
async function givenLinkedStore(t: Test, settings = '') {
  const fake = await startFakeEventStoreDb()
  const link = await FaultyLink.open(fake.port)
  const address = readEventStoreDbUrl(`esdb://127.0.0.1:${link.port}?tls=false${settings}`)
  const store = new EventStoreDbEventStore(address, { idleMs: 3_000 })
  t.teardown(async () => {
    await store.close()
    await link[Symbol.asyncDispose]()
    await fake[Symbol.asyncDispose]()
  })
  return { fake, link, store }
}

/** Retries while a dependency is unavailable, as callers do. */
async function persist<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await attempt()
    } catch (err) {
      if (!(err instanceof DependencyUnavailable)) throw err
      await sleep(20)
    }
  }
}

function positionOf(item: Extract<Item, { kind: 'event' | 'checkpoint' }>): number {
  const position = item.kind === 'event' ? item.event.position : item.position
  return Number(position.split(':')[2])
}

t.test('a refused connection writes nothing, and the store recovers with the server', async (t) => {
  const { link, store } = await givenLinkedStore(t)
  await link.refuse()
  const event = newEvent(1)
  for (const _ of range(1, 3)) {
    await t.rejects(store.append('note-a', [event], 'none'), unavailable)
    await t.rejects(readAll(store.readStream('note-a')), unavailable)
  }
  await link.restore()
  t.equal((await persist(() => store.append('note-a', [event], 'none'))).revision, 0)
  t.strictSame(await dataOf(store.readStream('note-a')), [1])
})

t.test('thousands of reads whose callers stop at the last event do not end the connection', async (t) => {
  await using resources = new AsyncDisposableStack()
  // In another process the end of a read comes later than its last event.
  const { url = '' } = await runFake(resources, 'eventstoredb')
  const store = new EventStoreDbEventStore(readEventStoreDbUrl(url))
  resources.defer(() => store.close())
  await store.append('note-a', [newEvent(1), newEvent(2)], 'none')
  const find = async (wanted: number, options: ReadOptions) => {
    for await (const { data } of store.readStream('note-a', options)) if (data === wanted) return
    throw new Error(`there is no event ${wanted}`)
  }
  // nghttp2, and so the fake, closes a connection with 1,000 cancelled streams, and with 33 more in each second.
  const reads = range(1, 800).map(() => [
    { wanted: 2, options: {} },
    { wanted: 1, options: { limit: 1 } },
    { wanted: 2, options: { limit: 1, backwards: true } },
  ])
  for (const { wanted, options } of reads.flat()) await find(wanted, options)
  t.pass('each has found its event')
})

t.test('calls to a silent server end with their own timeout', async (t) => {
  const { link, store } = await givenLinkedStore(t)
  link.silence()
  const event = newEvent()
  await t.rejects(store.append('note-a', [event], 'none', soon), unavailable)
  await t.rejects(readAll(store.readStream('note-a')), unavailable)
  await link.restore()
  t.equal((await persist(() => store.append('note-a', [event], 'none'))).revision, 0)
  t.equal((await readAll(store.readStream('note-a'))).length, 1)
})

t.test('a server that freezes leaves the append unknown, and a retry writes it once', async (t) => {
  const { link, store } = await givenLinkedStore(t)
  await store.append('note-a', numbered(1, 3), 'none')
  link.silence()
  const event = newEvent(4)
  await t.rejects(store.append('note-a', [event], 2, soon), unknown)
  await t.rejects(readAll(store.readStream('note-a')), unavailable)
  await link.restore()
  t.equal((await persist(() => store.append('note-a', [event], 2))).revision, 3)
  t.strictSame(await dataOf(store.readStream('note-a')), [1, 2, 3, 4])
})

t.test('a server that freezes during a read makes the read throw', async (t) => {
  const { link, store } = await givenLinkedStore(t)
  await store.append('note-a', numbered(1, 4_000), 'none', { timeoutMs: 60_000 })
  const seen: unknown[] = []
  const reading = async () => {
    for await (const { data } of store.readStream('note-a')) if (seen.push(data) === 10) link.silence()
  }
  await t.rejects(reading(), unavailable)
  t.ok(seen.length < 4_000)
})

t.test('a retry after a lost answer returns the original revision', async (t) => {
  const { fake, store } = await givenLinkedStore(t)
  const other = await openEventStore(fake.url)
  t.teardown(() => other.close())
  const batch = numbered(1, 3)
  await store.end()
  fake.loseNextAnswer()
  await t.rejects(store.append('note-a', batch, 'none'), unknown)
  t.strictSame(await dataOf(other.readStream('note-a')), [1, 2, 3], 'it was written')
  await other.append('note-a', [newEvent(4)], 2)
  const { revision, position } = await persist(() => store.append('note-a', batch, 'none'))
  t.equal(revision, 2)
  t.equal((await readAll(store.readStream('note-a')))[2]?.position, position)
  t.strictSame(await dataOf(store.readStream('note-a')), [1, 2, 3, 4])
})

t.test('a retry that the server ignores, because the first append is not indexed yet, is sent again', async (t) => {
  const { store } = await givenLinkedStore(t)
  const event = newEvent(1)
  const answers = await Promise.all(range(1, 3).map(() => store.append('note-a', [event], 'none')))
  for (const answer of answers) t.strictSame(answer, answers[0])
  t.strictSame(await dataOf(store.readStream('note-a')), [1])
})

t.test('a subscription that is cut 20 times loses and repeats nothing', async (t) => {
  const { fake, store } = await givenLinkedStore(t)
  await store.append('note-a', numbered(1, 500), 'none')
  fake.cutSubscriptions(37, 20)
  const appending = appendEach(store, 'note-a', 501, 1_000)
  const items = await takeUntil(store, { after: 'start', categories: ['note'] }, hasData(1_000))
  await appending
  t.strictSame(await dataOf(eventsOf(items)), range(1, 1_000))
  t.equal(fake.cutsLeft, 0, 'all cuts were made')
})

t.test('a subscription that the server drops for being slow continues after a burst', async (t) => {
  const { fake, store } = await givenLinkedStore(t)
  fake.dropSlowReaders(32)
  const burst = numbered(1, 400)
  let drops = 0
  const items = await takeUntil(store, { after: 'start', categories: ['note'] }, hasData(400), async (item) => {
    if (isCaughtUp(item) && drops === 0) await persist(() => store.append('note-a', burst, 'none'))
    if (item.kind === 'lost') drops++
  })
  t.ok(drops > 0)
  t.strictSame(await dataOf(eventsOf(items)), range(1, 400))
})

t.test('a server that ends on a full disk is waited for', async (t) => {
  const { fake, store } = await givenLinkedStore(t)
  await store.append('note-a', [newEvent(1)], 'none')
  fake.fillDisk()
  const event = newEvent(2)
  await t.rejects(store.append('note-a', [event], 0), unknown)
  await t.rejects(store.check(), unavailable)
  await fake.restart()
  t.equal((await persist(() => store.append('note-a', [event], 0))).revision, 1)
  await persist(() => store.check())
})

t.test('a subscription survives broken connections', async (t) => {
  const { link, fake, store } = await givenLinkedStore(t)
  const writer = await openEventStore(fake.url)
  t.teardown(() => writer.close())
  const cuts = [60, 61, 200, 333]
  const appending = appendEach(writer, 'note-a', 1, 400)
  const items = await takeUntil(store, { after: 'start', categories: ['note'] }, hasData(400), (item) => {
    if (item.kind === 'event' && cuts.includes(Number(item.event.data))) link.cut()
  })
  await appending
  t.strictSame(await dataOf(eventsOf(items)), range(1, 400))
})

t.test('a subscription survives a restart of the server', async (t) => {
  const { fake, store } = await givenLinkedStore(t)
  await store.append('note-a', numbered(1, 3), 'none')
  let restarts = 0
  const items = await takeUntil(store, { after: 'start', categories: ['note'] }, hasData(5), async (item) => {
    if (!isCaughtUp(item)) return
    if (restarts++ === 0) await fake.restart()
    else await appendEach(store, 'note-a', 4, 5)
  })
  t.strictSame(await dataOf(eventsOf(items)), range(1, 5))
  t.equal(items.filter(isCaughtUp).length, 2, 'caughtUp once for each connection')
})

t.test('a subscription from the end keeps its start across reconnects', async (t) => {
  const { fake, link, store } = await givenLinkedStore(t)
  const writer = await openEventStore(fake.url)
  t.teardown(() => writer.close())
  await appendEach(writer, 'note-a', 1, 3)
  const disconnect = async (item: Item) => {
    if (!isCaughtUp(item) || !link.isListening) return
    await link.refuse()
    await appendEach(writer, 'note-a', 4, 6)
    setTimeout(() => link.restore(), 100)
  }
  let isFirst = true
  const items = await takeUntil(store, { after: 'end', categories: ['note'] }, hasData(6), async (item) => {
    if (isFirst) await disconnect(item)
    isFirst &&= !isCaughtUp(item)
  })
  t.strictSame(await dataOf(eventsOf(items)), [4, 5, 6])
})

t.test('a subscription made while the server is unavailable waits for it', async (t) => {
  const { fake, link, store } = await givenLinkedStore(t)
  const writer = await openEventStore(fake.url)
  t.teardown(() => writer.close())
  await appendEach(writer, 'note-a', 1, 2)
  await link.refuse()
  setTimeout(() => link.restore(), 200)
  t.strictSame(
    await dataOf(eventsOf(await takeUntil(store, { after: 'start', categories: ['note'] }, hasData(2)))),
    [1, 2],
  )
  link.silence()
  setTimeout(() => link.restore(), 1_500)
  t.strictSame(
    await dataOf(eventsOf(await takeUntil(store, { after: 'start', categories: ['note'] }, hasData(2)))),
    [1, 2],
    'a silent server too',
  )
})

t.test(
  'a lost subscription is reported with its cause and retried, with pauses of half a second at most',
  async (t) => {
    const { link, store } = await givenLinkedStore(t)
    await store.append('note-a', [newEvent(1)], 'none')
    const losses = 12
    let lost = 0
    let pauses = 0
    // Timers of this process are as late as those of the store are.
    const counting = setInterval(() => {
      if (lost > 0) pauses += 1
    }, 500)
    t.teardown(() => clearInterval(counting))
    const items = await takeUntil(
      store,
      { after: 'start' },
      (item) => isCaughtUp(item) && lost > 0,
      async (item) => {
        if (isCaughtUp(item)) await link.refuse()
        if (item.kind !== 'lost') return
        lost += 1
        if (lost === losses) {
          clearInterval(counting)
          await link.restore()
        }
      },
    )
    t.match(
      items.find(({ kind }) => kind === 'lost'),
      { cause: { name: 'StoreUnavailable', cause: { message: /^EVENT_STORE_URL: ./ } } },
    )
    // Twice as many, as each connection takes some time on a busy machine.
    t.ok(pauses < 2 * losses, `${pauses} pauses of half a second between ${losses} losses`)
  },
)

t.test('keep-alive detects a dead connection of a subscription', async (t) => {
  t.capture(console, 'warn')
  const { fake, link, store } = await givenLinkedStore(t, '&keepAliveInterval=400&keepAliveTimeout=400')
  const writer = await openEventStore(fake.url)
  t.teardown(() => writer.close())
  let isFirst = true
  const items = await takeUntil(store, { after: 'start', categories: ['note'] }, hasData(1), async (item) => {
    if (!isCaughtUp(item) || !isFirst) return
    isFirst = false
    link.abandon()
    await appendEach(writer, 'note-a', 1, 1)
  })
  t.equal(eventsOf(items).length, 1)
})

t.test('caughtUp comes once, after the events that a slow reader has not taken yet', async (t) => {
  const { store } = await givenLinkedStore(t)
  await store.append('note-a', numbered(1, 10), 'none')
  const items = await takeUntil(store, { after: 'start', categories: ['note'] }, hasData(311), async (item) => {
    if (hasData(1)(item)) await sleep(50)
    if (hasData(310)(item)) await store.append('note-a', [newEvent(311)], 309)
    if (isCaughtUp(item)) await store.append('note-a', numbered(11, 310), 9)
  })
  const kinds = items.filter(({ kind }) => kind !== 'checkpoint').map(({ kind }) => kind)
  t.equal(kinds.indexOf('caughtUp'), 10)
  t.equal(kinds.lastIndexOf('caughtUp'), 10)
  const places = items.flatMap((item) =>
    item.kind === 'event' || item.kind === 'checkpoint' ? [positionOf(item)] : [],
  )
  t.ok(
    places.every((place, index) => index === 0 || place >= (places[index - 1] ?? 0)),
    'positions never decrease',
  )
})

t.test('an abort ends a subscription that waits for a server', async (t) => {
  const { link, store } = await givenLinkedStore(t)
  for (const fault of [() => link.silence(), () => link.refuse()]) {
    await fault()
    const leaving = new AbortController()
    setTimeout(() => leaving.abort(), 50)
    for await (const item of store.subscribe({ after: 'end', signal: leaving.signal })) t.equal(item.kind, 'lost')
    t.pass('ended')
  }
})

t.test('a log that was replaced by another, or by an older copy, is recognised', async (t) => {
  const { fake, store } = await givenLinkedStore(t)
  const writer = await openEventStore(fake.url)
  t.teardown(() => writer.close())
  await appendEach(writer, 'note-a', 1, 3)
  const backup = fake.count
  const [, , third] = await readAll(store.readStream('note-a'))
  await appendEach(writer, 'other-a', 1, 100)
  const items = await takeUntil(store, { after: 'start', categories: ['note'] }, isCaughtUp)
  const checkpoint = items.findLast((item) => item.kind === 'checkpoint')
  const [{ position: fourth } = { position: '' as Position }] = await appendEach(writer, 'note-a', 4, 4)
  if (!third || !checkpoint) return t.fail('no position')
  const categories = ['note']
  const dataAfter = async (after: Position) =>
    dataOf(eventsOf(await takeUntil(store, { after, categories }, (item) => isCaughtUp(item) || item.kind === 'lost')))
  const refused = { name: 'InvalidPosition' }

  await fake.restore(backup)
  await persist(() => readAll(store.readStream('note-a')))
  t.strictSame(await dataAfter(third.position), [], 'a position in the copy is kept')
  await t.rejects(dataAfter(fourth), refused, 'the copy ends before the event')
  await appendEach(writer, 'note-a', 40, 40)
  t.strictSame(await dataAfter(checkpoint.position), [40], 'only events of other categories are lost')
  await appendEach(writer, 'longer-text-a', 1, 200)
  await t.rejects(dataAfter(fourth), refused, 'the copy has grown, and has another event or none there')

  const following = takeUntil(
    store,
    { after: 'start', categories },
    () => false,
    async (item) => {
      if (isCaughtUp(item)) await fake.restore(0)
    },
  )
  await t.rejects(following, refused, 'while it is followed')
  await t.rejects(dataAfter(third.position), refused)
  const later = await openEventStore(fake.url)
  t.teardown(() => later.close())
  await later.append('note-a', [newEvent(1)], 'none')
  await t.rejects(takeUntil(later, { after: third.position, categories }, isCaughtUp), refused, 'another epoch')
})

t.test('a position between two records is refused, or left for the last event that was seen', async (t) => {
  const { store } = await givenLinkedStore(t)
  await appendEach(store, 'note-a', 1, 3)
  const [first, second] = await readAll(store.readStream('note-a'))
  if (!first || !second) return t.fail('no events')
  const [engine, epoch, commit, prepare] = second.position.split(':')
  const between = `${engine}:${epoch}:${Number(commit) - 1}:${Number(prepare) - 1}`
  const [, , ...anchor] = first.position.split(':')
  const categories = ['note']
  const refused = { name: 'InvalidPosition', message: /has no record at the position/ }
  const unknown = between as Position
  await t.rejects(readAll(store.readLog({ after: unknown, categories })), refused)
  await t.rejects(takeUntil(store, { after: unknown, categories }, isCaughtUp), refused)
  const anchored = `${between}:${anchor.join(':')}` as Position
  t.strictSame(await dataOf(store.readLog({ after: anchored, categories })), [2, 3])
  t.strictSame(await dataOf(eventsOf(await takeUntil(store, { after: anchored, categories }, isCaughtUp))), [2, 3])
})

t.test('discovery finds the leader of a cluster', async (t) => {
  await using fake = await startFakeEventStoreDb()
  const store = await openEventStore(`kurrentdb+discover://127.0.0.1:${fake.port}?tls=false`)
  t.equal((await store.append('note-a', [newEvent(1)], 'none')).revision, 0)
  await store.close()
  // The client itself would ask the first one only.
  const listed = await openEventStore(`esdb+discover://127.0.0.1:1,127.0.0.1:${fake.port}?tls=false`)
  t.equal((await readAll(listed.readStream('note-a'))).length, 1, 'a list of nodes is used in full')
  await listed.close()
  const lost = await openEventStore('esdb+discover://127.0.0.1:1?tls=false&maxDiscoverAttempts=2')
  await t.rejects(lost.append('note-a', [newEvent(1)], 'none'), unavailable)
  await t.rejects(readAll(lost.readStream('note-a')), unavailable)
  await lost.close()
})

t.test('a call to a cluster that does not answer ends with its own timeout', async (t) => {
  await using fake = await startFakeEventStoreDb()
  fake.link.silence()
  const discovering = 'tls=false&maxDiscoverAttempts=1&gossipTimeout=10'
  const store = await openEventStore(`esdb+discover://127.0.0.1:${fake.port}?${discovering}`)
  await t.rejects(store.append('note-a', [newEvent()], 'none', soon), unavailable)
  await store.close()
})

t.test('closing lets the process exit', async (t) => {
  await using fake = await startFakeEventStoreDb()
  const script = join(import.meta.dirname, '../fixtures/subscriber.ts')
  const child = spawn(process.execPath, [script, fake.url], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = child.stdout.setEncoding('utf8').toArray()
  t.strictSame(await once(child, 'exit'), [0, null])
  t.match((await said).join(''), /ended\n$/)
})
