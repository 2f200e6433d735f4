import { setTimeout as delay } from 'node:timers/promises'
import type { Priority } from '@platen/shared/contracts/subjects.ts'
import t from 'tap'
import { Slots } from './slots.ts'

/** Slots that record who got one. */
function recordedSlots(size: number) {
  const slots = new Slots(size)
  const admitted: string[] = []
  return {
    admitted,
    async acquire(name: string, priority: Priority, signal = new AbortController().signal) {
      const slot = await slots.acquire(priority, signal)
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

t.test('interactive documents are admitted before batch documents', async (t) => {
  const { acquire, admitted } = recordedSlots(1)
  const [first, second] = await Promise.all([acquire('b1', 'batch'), acquire('i1', 'interactive')])
  void acquire('b2', 'batch')
  void acquire('i2', 'interactive')
  second[Symbol.dispose]()
  await nextTurn()
  t.same(admitted, ['b1', 'i1', 'i2'])
  first[Symbol.dispose]()
  await nextTurn()
  t.same(admitted, ['b1', 'i1', 'i2'], 'the free slot is not for batch')
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
  const second = acquire('b2', 'batch', cancel.signal)
  cancel.abort(new Error('cancelled'))
  await t.rejects(second, { message: 'cancelled' })
  await t.rejects(acquire('b3', 'batch', AbortSignal.abort(new Error('cancelled before'))), {
    message: 'cancelled before',
  })
  first[Symbol.dispose]()
  await acquire('b4', 'batch')
  t.same(admitted, ['b1', 'b4'])
})
