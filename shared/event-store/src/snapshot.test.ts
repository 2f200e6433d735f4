import { startFakeEventStoreDb } from '@platen/test-support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { storeWith } from '@platen/test-support/store-with.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t, { type Test } from 'tap'
import { openEventStore } from './adapters/open-event-store.ts'
import type { Decider } from './decider.ts'
import { type EventStore, type NewEvent, OutcomeUnknown, type StoredEvent } from './event-store.ts'
import { handleCommand, load } from './handle-command.ts'
import { readWhole } from './history.ts'
import { snapshotEvery } from './snapshot.ts'

t.setTimeout(300_000)

type Added = { type: 'Added' | 'AlsoAdded'; data: { by: number } }
type Add = { type: 'Add'; data: { by: number[] } }

/** A sum of which no event has all. Its versions differ in what they make of an event. */
const sumOf = (version: string, times = 1): Decider<{ sum: number; version?: string }, Add, Added> => ({
  initialState: { sum: 0 },
  decide: ({ data }) => data.by.map((by, at) => ({ type: at === 0 ? 'Added' : 'AlsoAdded', data: { by } })),
  evolve: ({ sum }, { data }) => ({ sum: sum + times * (data?.by ?? 0), version }),
  foldId: () => version,
})
const sum = sumOf('1')
const stream = 'sum-1'
const add = (...by: number[]) => ({
  type: 'Add' as const,
  data: { by },
  metadata: { id: crypto.randomUUID(), time: new Date().toISOString(), correlation_id: 'req_1' },
})
const addTimes = async (store: EventStore, times: number, decider = sum) => {
  for (let n = 0; n < times; n++) await handleCommand({ store, decider, stream, command: add(1) })
}
const isSnapshot = ({ metadata }: StoredEvent) => 'snapshot' in metadata

/** Counts what is read, and lets a test change it. */
function counted(store: EventStore, change: (event: StoredEvent) => StoredEvent = (event) => event) {
  const counts = { reads: 0, events: 0 }
  const reader = storeWith(store, {
    async *readStream(...args) {
      counts.reads++
      for await (const event of store.readStream(...args)) {
        counts.events++
        yield change(event)
      }
    },
  })
  return { store: reader, counts }
}

/** Runs a test with each adapter. */
function onBoth(title: string, run: (t: Test, store: EventStore) => Promise<void>): void {
  t.test(title, async (t) => {
    t.test('SQLite', async (t) => {
      await using temporary = await openTemporaryStore()
      await run(t, temporary.store)
    })
    t.test('EventStoreDB', async (t) => {
      await using fake = await startFakeEventStoreDb()
      const store = await openEventStore(fake.url)
      try {
        await run(t, store)
      } finally {
        await store.close()
      }
    })
  })
}

onBoth('a short stream has no snapshot, and is read at once', async (t, store) => {
  await addTimes(store, snapshotEvery - 1)
  t.notOk((await readWhole(store, stream)).some(isSnapshot))
  const { store: reader, counts } = counted(store)
  t.match(await load(reader, sum, stream), { state: { sum: snapshotEvery - 1 } })
  t.strictSame(counts, { reads: 1, events: snapshotEvery - 1 })
})

onBoth('a long stream is read from its last snapshot on, however long it is', async (t, store) => {
  for (const length of [50, 51, 99, 100, 101, 160]) {
    await addTimes(store, length - (await readWhole(store, stream)).length)
    const { store: reader, counts } = counted(store)
    t.match(await load(reader, sum, stream), { state: { sum: length }, revision: length - 1 })
    t.ok(counts.reads === 1 && counts.events <= snapshotEvery, JSON.stringify(counts))
  }
  const { store: reader, counts } = counted(store)
  t.match(await load(reader, sum, stream, { version: 70 }), { state: { sum: 70 }, revision: 69 })
  t.ok(counts.events <= snapshotEvery)
})

onBoth('a snapshot is a part of the append of its events', async (t, store) => {
  const appends: (readonly NewEvent[])[] = []
  const writer = storeWith(store, {
    append(stream, events, ...rest) {
      appends.push(events)
      return store.append(stream, events, ...rest)
    },
  })
  for (let n = 0; n < 40; n++) await handleCommand({ store: writer, decider: sum, stream, command: add(1, 2) })
  const withIt = appends.map((events) => events.map((event) => 'snapshot' in (event.metadata ?? {})))
  t.equal(withIt.length, 40)
  t.notOk(withIt.some(([first]) => first))
  t.strictSame(withIt.filter(([, last]) => last).length, 1, 'with the last event of an append')
  t.match(await load(store, sum, stream), { state: { sum: 120 } })
})

onBoth('an append of which the answer is lost is not made again, and leaves one snapshot', async (t, store) => {
  await addTimes(store, snapshotEvery - 1)
  const writer = storeWith(store, {
    async append(...args) {
      await store.append(...args)
      throw new OutcomeUnknown('the answer is lost')
    },
  })
  const command = add(1)
  const handling = { decider: sum, stream, command, once: true }
  await t.rejects(handleCommand({ ...handling, store: writer }), { name: 'OutcomeUnknown' })
  t.match(await handleCommand({ ...handling, store }), { state: { sum: snapshotEvery }, revision: snapshotEvery - 1 })
  t.equal((await readWhole(store, stream)).filter(isSnapshot).length, 1)
})

onBoth('a snapshot that is not what was recorded at its place is passed over', async (t, store) => {
  await addTimes(store, 130)
  const events = await readWhole(store, stream)
  const [first, last] = events.filter(isSnapshot)
  const taken = (event?: StoredEvent) => Object(event?.metadata.snapshot)
  t.ok(first && last)
  const wrong: Record<string, unknown> = {
    'of another place': taken(first),
    'with another state': { ...taken(last), state: { sum: 7 } },
    'without a state': { ...taken(last), state: undefined },
    'without a hash': { ...taken(last), hash: undefined },
    'of another version': { ...taken(last), fold: '2' },
    text: 'snapshot',
    nothing: null,
    list: [],
  }
  for (const [what, snapshot] of Object.entries(wrong)) {
    const change = (event: StoredEvent) => (event.id === last?.id ? withMetadata(event, { snapshot }) : event)
    t.match(await load(counted(store, change).store, sum, stream), { state: { sum: 130, version: '1' } }, what)
  }
  const foreign = (event: StoredEvent) => ({ ...event, stream: 'sum-2' })
  t.match(await load(counted(store, foreign).store, sum, stream), { state: { sum: 130 } }, 'of another stream')
  const none = (event: StoredEvent) => ({ ...event, metadata: {} })
  t.match(await load(counted(store, none).store, sum, stream), { state: { sum: 130 } }, 'none')
})

function withMetadata(event: StoredEvent, more: object): StoredEvent {
  return { ...event, metadata: { ...event.metadata, ...more } }
}

onBoth('a version that makes another state of the events reads none of an earlier one', async (t, store) => {
  await addTimes(store, 120)
  const next = sumOf('2', 10)
  t.match(await load(store, next, stream), { state: { sum: 1_200 } })
  await addTimes(store, 1, next)
  const { store: reader, counts } = counted(store)
  t.match(await load(reader, next, stream), { state: { sum: 1_210 } })
  t.equal(counts.reads, 1, 'its first change has left a snapshot of its own')
  t.match(await load(store, sum, stream), { state: { sum: 121 } })
})

onBoth('writers of two versions lose nothing, and each finds its own sum', async (t, store) => {
  const next = sumOf('2', 10)
  for (let n = 0; n < 60; n++) await Promise.all([sum, next, sum].map((decider) => addTimes(store, 1, decider)))
  t.match(await load(store, sum, stream), { state: { sum: 180 }, revision: 179 })
  t.match(await load(store, next, stream), { state: { sum: 1_800 }, revision: 179 })
})

onBoth('a command is found before a snapshot, and gets the answer of the first time', async (t, store) => {
  await addTimes(store, 20)
  const command = add(1)
  const handling = { store, decider: sum, stream, once: true, command }
  await handleCommand(handling)
  await addTimes(store, 150)
  t.match(await handleCommand(handling), { state: { sum: 21 }, revision: 20 })
})

onBoth('a state that is too large is not recorded', async (t, store) => {
  const large: typeof sum = { ...sum, initialState: { sum: 0, version: 'x'.repeat(100_001) } }
  const kept = {
    ...large,
    evolve: (state: { sum: number }, { data }: Added) => ({ ...state, sum: state.sum + data.by }),
  }
  await addTimes(store, 60, kept)
  t.notOk((await readWhole(store, stream)).some(isSnapshot))
  t.match(await load(store, kept, stream), { state: { sum: 60 } })
})
