import { setTimeout as delay } from 'node:timers/promises'
import type { Priority } from '@platen/shared/contracts/subjects.ts'
import t from 'tap'
import { openSlots } from './slots.ts'

function waitingRoom(size: number) {
  const slots = openSlots(size)
  const entered: string[] = []
  return {
    entered,
    async come(name: string, priority: Priority, signal = new AbortController().signal) {
      const place = await slots.acquire(priority, signal)
      entered.push(name)
      return place
    },
  }
}
const turn = () => new Promise(setImmediate)

t.test('batch work never takes the last place', async (t) => {
  const { come, entered } = waitingRoom(2)
  for (const name of ['b1', 'b2', 'b3']) void come(name, 'batch')
  await turn()
  t.same(entered, ['b1', 'b2'])
  void come('i1', 'interactive')
  void come('i2', 'interactive')
  await turn()
  t.same(entered, ['b1', 'b2', 'i1'])
})

t.test('batch work leaves a core to callers while they come, and takes it back', async (t) => {
  const { come, entered } = waitingRoom(2)
  const caller = await come('i1', 'interactive')
  for (const name of ['b1', 'b2', 'b3']) void come(name, 'batch')
  caller[Symbol.dispose]()
  await turn()
  t.same(entered, ['i1', 'b1'])
  while (entered.length < 3) await delay(10)
  t.same(entered, ['i1', 'b1', 'b2'])
})

t.test('interactive work goes first', async (t) => {
  const { come, entered } = waitingRoom(1)
  const [first, second] = await Promise.all([come('b1', 'batch'), come('i1', 'interactive')])
  void come('b2', 'batch')
  void come('i2', 'interactive')
  second[Symbol.dispose]()
  await turn()
  t.same(entered, ['b1', 'i1', 'i2'])
  first[Symbol.dispose]()
  await turn()
  t.same(entered, ['b1', 'i1', 'i2'], 'one place is left: not for batch')
})

t.test('a place given back twice is one place', async (t) => {
  const { come, entered } = waitingRoom(1)
  const place = await come('b1', 'batch')
  place[Symbol.dispose]()
  place[Symbol.dispose]()
  for (const name of ['b2', 'b3']) void come(name, 'batch')
  await turn()
  t.same(entered, ['b1', 'b2'])
})

t.test('who gives up waiting takes no place', async (t) => {
  const { come, entered } = waitingRoom(1)
  const first = await come('b1', 'batch')
  const giveUp = new AbortController()
  const second = come('b2', 'batch', giveUp.signal)
  giveUp.abort(new Error('not any more'))
  await t.rejects(second, { message: 'not any more' })
  await t.rejects(come('b3', 'batch', AbortSignal.abort(new Error('never'))), { message: 'never' })
  first[Symbol.dispose]()
  await come('b4', 'batch')
  t.same(entered, ['b1', 'b4'])
})
