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
  evolve: (count, { data }) => count + data.by,
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
