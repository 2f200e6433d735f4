import { storeWith } from '@platen/test-support/store-with.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t from 'tap'
import type { Decider } from './decider.ts'
import { handleCommand, load } from './handle-command.ts'

type Counted = { type: 'Counted'; data: { by: number } }
type Count = { type: 'Count'; data: { by: number } }

/** Counts up to 100. It cannot distinguish a redelivered command from a new one. */
const counter: Decider<number, Count, Counted> = {
  initialState: 0,
  decide: ({ data }, count) => (count + data.by > 100 ? [] : [{ type: 'Counted', data }]),
  evolve: (count, { data }) => count + (data?.by ?? 0),
}
const count = (id: string, by = 1) => ({
  type: 'Count' as const,
  data: { by },
  metadata: { id, time: '2026-01-01T00:00:00.000Z', correlation_id: 'req_1', traceparent: '00-ab-cd-01' },
})

t.test('events carry the metadata of their command and ids derived from it', async (t) => {
  await using temporary = await openTemporaryStore()
  const { store } = temporary
  t.strictSame(await handleCommand({ store, decider: counter, stream: 'counter-1', command: count('a') }), {
    state: 1,
    revision: 0,
  })
  for await (const event of store.readStream('counter-1')) {
    t.strictSame(event.metadata, {
      time: '2026-01-01T00:00:00.000Z',
      correlation_id: 'req_1',
      causation_id: 'a',
      traceparent: '00-ab-cd-01',
    })
  }
})

t.test('a command with `once` is applied once, however often it is delivered', async (t) => {
  await using temporary = await openTemporaryStore()
  const { store } = temporary
  const once = { store, decider: counter, stream: 'counter-1', once: true }
  await handleCommand({ ...once, command: count('a') })
  await handleCommand({ ...once, command: count('b') })
  t.equal((await load(store, counter, 'counter-1')).state, 2)
  t.strictSame(await handleCommand({ ...once, command: count('a') }), { state: 1, revision: 0 }, 'its own answer')
})

t.test('a command that is past its deadline after a conflict is refused', async (t) => {
  await using temporary = await openTemporaryStore()
  const { store } = temporary
  const command = count('late')
  const deadline = '2026-01-01T00:00:05.000Z'
  let nowMs = Date.parse(deadline) - 1
  const handled = handleCommand({
    store,
    decider: counter,
    stream: 'counter-1',
    command: { ...command, metadata: { ...command.metadata, deadline } },
    now: () => nowMs,
    async beforeAppend() {
      await handleCommand({ store, decider: counter, stream: 'counter-1', command: count('other') })
      nowMs += 2
    },
  })
  await t.rejects(handled, { code: 'SERVICE_UNAVAILABLE', message: /after its deadline/ })
  t.equal((await load(store, counter, 'counter-1')).state, 1, 'that of the other one')
})

t.test('conflicting writers retry and no event is lost', async (t) => {
  await using temporary = await openTemporaryStore()
  const { store } = temporary
  const writers = Array.from({ length: 12 }, (_, i) =>
    handleCommand({ store, decider: counter, stream: 'counter-1', command: count(`c${i}`) }),
  )
  await Promise.all(writers)
  const { state, revision } = await load(store, counter, 'counter-1')
  t.equal(state, 12)
  t.equal(revision, 11)
})

t.test('an attempt that is repeated because its answer was lost appends nothing more', async (t) => {
  await using temporary = await openTemporaryStore()
  const { store } = temporary
  const add = (attempt: string) =>
    handleCommand({ store, decider: counter, stream: 'counter-1', command: count('a'), attempt })
  t.match(await add('one'), { state: 1, revision: 0 })
  t.match(await add('one'), { state: 1, revision: 0 })
  t.match(await add('other'), { state: 2, revision: 1 })
})

t.test('a decision without events writes nothing; a stream can be folded up to a version', async (t) => {
  await using temporary = await openTemporaryStore()
  const { store } = temporary
  const on = { store, decider: counter, stream: 'counter-1' }
  t.strictSame(await handleCommand({ ...on, command: count('a', 101) }), {
    state: 0,
    revision: 'none',
    events: new Set(),
    executed: undefined,
  })
  await handleCommand({ ...on, command: count('b', 60) })
  await handleCommand({ ...on, command: count('c', 40) })
  t.match(await handleCommand({ ...on, command: count('d', 1) }), { state: 100, revision: 1 })
  t.equal((await load(store, counter, 'counter-1', { version: 1 })).state, 60)
})

/** A count of which each event has all. */
type Total = { type: 'Total'; data: { total: number } }
const total: Decider<{ total: number; revision: number }, Count, Total> = {
  initialState: { total: 0, revision: -1 },
  decide: ({ data }, { total }) => [{ type: 'Total', data: { total: total + data.by } }],
  evolve: (state, { type, data }, { revision }) => (type === 'Total' ? { ...data, revision } : { ...state, revision }),
  isWhole: ({ type }) => type === 'Total',
}

t.test('a fold begins with the last event that has all of the aggregate, however long the stream is', async (t) => {
  await using temporary = await openTemporaryStore()
  const stream = 'counter-1'
  let read = 0
  const store = Object.assign(Object.create(temporary.store) as typeof temporary.store, {
    append: (...args: Parameters<typeof temporary.store.append>) => temporary.store.append(...args),
    async *readStream(...args: Parameters<typeof temporary.store.readStream>) {
      for await (const event of temporary.store.readStream(...args)) {
        read++
        yield event
      }
    },
  })
  const now = () => new Date().toISOString()
  const at = (id: string, time = now()) => ({ ...count(id), metadata: { ...count(id).metadata, time } })
  for (let n = 0; n < 300; n++) await handleCommand({ store, decider: total, stream, command: at(`c${n}`) })
  const later = new Date(Date.now() + 60_000).toISOString()
  read = 0
  t.match(await load(store, total, stream), { state: { total: 300, revision: 299 }, revision: 299 })
  t.match(await load(store, total, stream, { version: 7 }), { state: { total: 7, revision: 6 }, revision: 6 })
  t.match(await handleCommand({ store, decider: total, stream, command: at('new', later) }), { state: { total: 301 } })
  t.equal(read, 3)

  const unreadable = { id: crypto.randomUUID(), type: 'Unknown', data: {} }
  await temporary.store.append(stream, [unreadable], 300)
  t.match(await load(store, total, stream), { state: { total: 301, revision: 301 }, revision: 301 })
  t.strictSame((await load(store, total, 'counter-2')).revision, 'none')
  t.strictSame((await load(store, total, stream, { version: 0 })).revision, 'none')
})

t.test('of what others have recorded since a command was sent, only ids are read', async (t) => {
  await using temporary = await openTemporaryStore()
  let dataRead = 0
  const store = storeWith(temporary.store, {
    async *readStream(...args) {
      for await (const event of temporary.store.readStream(...args)) {
        if (event.data !== null) dataRead++
        yield event
      }
    },
  })
  const on = { store, decider: total, stream: 'counter-1', once: true }
  const time = new Date().toISOString()
  const at = (id: string) => ({ ...count(id), metadata: { ...count(id).metadata, time } })
  for (let n = 0; n < 30; n++) await handleCommand({ ...on, command: at(`c${n}`) })
  dataRead = 0
  t.match(await handleCommand({ ...on, command: at('new') }), { state: { total: 31 }, revision: 30 })
  t.equal(dataRead, 1)
  dataRead = 0
  t.match(await handleCommand({ ...on, command: at('c3') }), { state: { total: 4 }, revision: 3 }, 'its own answer')
  t.ok(dataRead <= 2, 'the last one, and its own')
})

t.test('a command is found among all that was recorded since it was sent', async (t) => {
  await using temporary = await openTemporaryStore()
  const { store } = temporary
  const on = { store, decider: total, stream: 'counter-1', once: true }
  const command = { ...count('first'), metadata: { ...count('first').metadata, time: new Date().toISOString() } }
  await handleCommand({ ...on, command })
  for (let n = 0; n < 30; n++) await handleCommand({ ...on, command: count(`c${n}`) })
  t.match(await load(store, total, 'counter-1'), { state: { total: 31 }, revision: 30 })
  t.match(await handleCommand({ ...on, command }), { state: { total: 1 }, revision: 0 }, 'its own answer')
})

t.test('a command is found whatever the clock of the event store says', async (t) => {
  await using temporary = await openTemporaryStore()
  const store = storeWith(temporary.store, {
    async *readStream(...args) {
      for await (const event of temporary.store.readStream(...args)) {
        yield { ...event, recordedAt: new Date(event.recordedAt.getTime() - 3_600_000) }
      }
    },
  })
  const on = { store, decider: total, stream: 'counter-1', once: true }
  const time = new Date().toISOString()
  const at = (id: string) => ({ ...count(id), metadata: { ...count(id).metadata, time } })
  for (const id of ['a', 'b', 'c']) await handleCommand({ ...on, command: at(id) })
  t.match(await handleCommand({ ...on, command: at('a') }), { state: { total: 1 }, revision: 0 })
})

t.test('a command of a gateway whose clock is ahead is found behind those of others', async (t) => {
  await using temporary = await openTemporaryStore()
  const on = { store: temporary.store, decider: total, stream: 'counter-1', once: true }
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
  const sent = (id: string, aheadMs: number) => {
    const times = { time: inMs(aheadMs), deadline: inMs(4_500) }
    return { ...count(id), metadata: { ...count(id).metadata, ...times } }
  }
  const ahead = sent('ahead', 3_600_000)
  await handleCommand({ ...on, command: ahead })
  for (const id of ['b', 'c']) await handleCommand({ ...on, command: sent(id, 0) })
  t.match(await handleCommand({ ...on, command: ahead }), { state: { total: 1 }, revision: 0 })
  const later = { ...ahead, metadata: { ...ahead.metadata, deadline: inMs(300_000) } }
  t.match(await handleCommand({ ...on, command: later }), { revision: 0 }, 'its client has sent it again later')
})

t.test('a stream that is new is not read before its first append, and one that exists is', async (t) => {
  await using temporary = await openTemporaryStore()
  let reads = 0
  const store = storeWith(temporary.store, {
    readStream(...args) {
      reads += 1
      return temporary.store.readStream(...args)
    },
  })
  const handling = { store, decider: counter, stream: 'counter-1', isNew: true, attempt: '1' }
  t.strictSame(await handleCommand({ ...handling, command: count('a', 100) }), { state: 100, revision: 0 })
  t.equal(reads, 0)
  t.strictSame(await handleCommand({ ...handling, command: count('a', 100) }), { state: 100, revision: 0 }, 'a retry')
  const { state, revision } = await handleCommand({ ...handling, command: count('b') })
  t.strictSame({ state, revision }, { state: 100, revision: 0 }, 'decided with what was recorded')
  t.equal(reads, 1)
})
