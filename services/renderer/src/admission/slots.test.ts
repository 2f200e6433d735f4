import { setTimeout as delay } from 'node:timers/promises'
import type { Priority } from '@platen/domain/streams/subjects.ts'
import t from 'tap'
import { reservedMs, Slots } from './slots.ts'

interface Asked {
  owner?: string
  key?: string
  signal?: AbortSignal
}

/** Slots that record who got one, with a clock that stands still unless it is moved. */
function recordedSlots(size: number) {
  const clock = { ms: 0 }
  const slots = new Slots(size, { now: () => clock.ms })
  const admitted: string[] = []
  return {
    slots,
    clock,
    admitted,
    async acquire(
      name: string,
      priority: Priority,
      { owner = 'one', key = owner, signal = new AbortController().signal }: Asked = {},
    ) {
      const slot = await slots.acquire({ owner, key, priority, signal })
      admitted.push(name)
      return slot
    },
  }
}
const nextTurn = () => new Promise(setImmediate)

t.test('one slot more than the size is for interactive documents only', async (t) => {
  const { acquire, admitted } = recordedSlots(2)
  for (const name of ['b1', 'b2', 'b3']) void acquire(name, 'batch')
  await nextTurn()
  t.same(admitted, ['b1', 'b2'])
  void acquire('i1', 'interactive')
  void acquire('i2', 'interactive')
  await nextTurn()
  t.same(admitted, ['b1', 'b2', 'i1'])
})

t.test('a slot stays reserved for a moment after an interactive document', async (t) => {
  const { acquire, admitted } = recordedSlots(2)
  const slot = await acquire('i1', 'interactive')
  for (const name of ['b1', 'b2', 'b3']) void acquire(name, 'batch')
  slot[Symbol.dispose]()
  await nextTurn()
  t.same(admitted, ['i1', 'b1'])
  while (admitted.length < 3) await delay(10)
  t.same(admitted, ['i1', 'b1', 'b2'])
})

t.test('the moment begins when the document ends, however long it took', async (t) => {
  const { acquire, admitted } = recordedSlots(2)
  const slot = await acquire('i1', 'interactive')
  for (const name of ['b1', 'b2']) void acquire(name, 'batch')
  await delay(reservedMs + 50)
  slot[Symbol.dispose]()
  await nextTurn()
  t.same(admitted, ['i1', 'b1'])
})

t.test('interactive documents are admitted before batch documents', async (t) => {
  const { acquire, admitted } = recordedSlots(2)
  const [first, second] = await Promise.all([acquire('b1', 'batch'), acquire('i1', 'interactive')])
  void acquire('b2', 'batch')
  void acquire('i2', 'interactive')
  void acquire('i3', 'interactive')
  second[Symbol.dispose]()
  await nextTurn()
  t.same(admitted, ['b1', 'i1', 'i2', 'i3'])
  first[Symbol.dispose]()
  await nextTurn()
  t.same(admitted, ['b1', 'i1', 'i2', 'i3', 'b2'])
})

t.test('callers that always wait leave one slot to a batch', async (t) => {
  const { acquire, admitted } = recordedSlots(2)
  const callers = [await acquire('i1', 'interactive'), await acquire('i2', 'interactive')]
  callers.push(await acquire('i3', 'interactive'))
  for (const name of ['b1', 'b2']) void acquire(name, 'batch')
  void acquire('i4', 'interactive')
  callers[0]?.[Symbol.dispose]()
  await nextTurn()
  t.same(admitted, ['i1', 'i2', 'i3', 'b1'])
  callers[1]?.[Symbol.dispose]()
  await nextTurn()
  t.same(admitted, ['i1', 'i2', 'i3', 'b1', 'i4'])
})

t.test('an owner gets as much time as another that has waited for less', async (t) => {
  const { acquire, admitted, clock } = recordedSlots(1)
  // Documents of `slow` take four times as long.
  const takes: Record<string, number> = { slow: 400, fast: 100 }
  const queue = async (owner: string, count: number) => {
    for (let n = 0; n < count; n++) {
      void acquire(owner, 'batch', { owner }).then((slot) => running.push({ owner, slot }))
    }
  }
  const running: { owner: string; slot: Disposable }[] = []
  await queue('slow', 50)
  await queue('fast', 50)
  for (let turn = 0; turn < 25; turn++) {
    await nextTurn()
    const next = running.shift()
    clock.ms += takes[next?.owner ?? ''] ?? 0
    next?.slot[Symbol.dispose]()
  }
  t.equal(admitted.filter((owner) => owner === 'slow').length, 5)
  t.equal(admitted.filter((owner) => owner === 'fast').length, 20)
})

t.test('while others wait, an owner has half of the slots', async (t) => {
  const { acquire, admitted } = recordedSlots(4)
  const running = [await acquire('a1', 'batch', { owner: 'a' })]
  for (const name of ['a2', 'a3', 'a4']) running.push(await acquire(name, 'batch', { owner: 'a' }))
  void acquire('a5', 'batch', { owner: 'a' })
  for (const name of ['b1', 'b2', 'b3']) void acquire(name, 'batch', { owner: 'b' })
  await nextTurn()
  t.same(admitted, ['a1', 'a2', 'a3', 'a4', 'b1'], 'one owner alone has all, and another finds one more')
  for (const slot of running.splice(0, 2)) slot[Symbol.dispose]()
  await nextTurn()
  t.same(admitted.slice(5), ['b2'])
  running.shift()?.[Symbol.dispose]()
  await nextTurn()
  t.same(admitted.slice(6), ['a5'], 'both have half')
})

t.test('an owner finds a slot while another fills all with slow documents', async (t) => {
  const { acquire, admitted, clock, slots } = recordedSlots(2)
  for (const name of ['a1', 'a2', 'a3', 'a4']) void acquire(name, 'interactive', { owner: 'a' })
  await nextTurn()
  t.same(admitted, ['a1', 'a2', 'a3'])
  clock.ms += 1_000
  const mine = await acquire('b1', 'interactive', { owner: 'b' })
  void acquire('b2', 'interactive', { owner: 'b' })
  await nextTurn()
  t.same(admitted.slice(3), ['b1'], 'it finds one')
  mine[Symbol.dispose]()
  await nextTurn()
  t.same(admitted.slice(3), ['b1', 'b2'])
  t.equal(slots.expectedWaitMs('b'), 0)
  t.ok(slots.expectedWaitMs('a') >= 2_000, 'the other waits for its own documents')
})

t.test('an owner finds a slot for a batch document, too, and its interactive one does not wait for that', async (t) => {
  const { acquire, admitted } = recordedSlots(4)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void acquire(name, 'batch', { owner: 'a' })
  for (const name of ['b1', 'b2']) void acquire(name, 'batch', { owner: 'b' })
  await nextTurn()
  t.same(admitted, ['a1', 'a2', 'a3', 'a4', 'b1'])
  void acquire('b3', 'interactive', { owner: 'b' })
  await nextTurn()
  t.same(admitted.slice(5), ['b3'])
})

t.test('an owner leaves room for one that was here a moment ago', async (t) => {
  const { acquire, admitted, clock } = recordedSlots(2)
  const slow = await acquire('a1', 'interactive', { owner: 'a' })
  clock.ms += 5_000
  slow[Symbol.dispose]()
  const other = await acquire('b1', 'interactive', { owner: 'b' })
  other[Symbol.dispose]()
  for (const name of ['a2', 'a3']) void acquire(name, 'interactive', { owner: 'a' })
  await nextTurn()
  t.same(admitted, ['a1', 'b1', 'a2'])
  clock.ms += 60_000
  while (admitted.length < 4) await delay(10)
  t.same(admitted, ['a1', 'b1', 'a2', 'a3'], 'which it takes when nobody comes')
})

t.test('an owner with many API keys gets no more than another, and its keys share it', async (t) => {
  const { acquire, admitted, clock } = recordedSlots(1)
  const running: Disposable[] = []
  for (const key of ['a1', 'a2', 'a3', 'b1']) {
    for (let n = 0; n < 20; n++) {
      void acquire(key, 'batch', { owner: key.slice(0, 1), key }).then((slot) => running.push(slot))
    }
  }
  for (let turn = 0; turn < 24; turn++) {
    await nextTurn()
    clock.ms += 100
    running.shift()?.[Symbol.dispose]()
  }
  const counts = ['a1', 'a2', 'a3', 'b1'].map((key) => admitted.filter((name) => name === key).length)
  t.same(counts, [4, 4, 4, 12])
})

t.test('a slot that is disposed of twice is freed once', async (t) => {
  const { acquire, admitted } = recordedSlots(1)
  const slot = await acquire('b1', 'batch')
  slot[Symbol.dispose]()
  slot[Symbol.dispose]()
  for (const name of ['b2', 'b3']) void acquire(name, 'batch')
  await nextTurn()
  t.same(admitted, ['b1', 'b2'])
})

t.test('an aborted document rejects with the reason and takes no slot', async (t) => {
  const { acquire, admitted } = recordedSlots(1)
  const first = await acquire('b1', 'batch')
  const cancel = new AbortController()
  const second = acquire('b2', 'batch', { signal: cancel.signal })
  cancel.abort(new Error('cancelled'))
  await t.rejects(second, { message: 'cancelled' })
  await t.rejects(acquire('b3', 'batch', { signal: AbortSignal.abort(new Error('cancelled before')) }), {
    message: 'cancelled before',
  })
  first[Symbol.dispose]()
  await acquire('b4', 'batch')
  t.same(admitted, ['b1', 'b4'])
})
