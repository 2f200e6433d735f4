import { setImmediate as immediate } from 'node:timers/promises'
import t from 'tap'
import { FairQueue, type Patience } from './fair-queue.ts'

/** A queue before one use at a time, which records who has begun. */
function givenQueue() {
  const begun: string[] = []
  const turns: Disposable[] = []
  const queue: FairQueue<'first' | 'second'> = new FairQueue({
    kinds: ['first', 'second'],
    mayBegin: () => queue.busy('first') + queue.busy('second') === 0,
  })
  const take = async (key: string, patience: Patience = {}, kind: 'first' | 'second' = 'second') => {
    turns.push(await queue.take({ owner: key, key, kind }, patience))
    begun.push(key)
  }
  const end = async () => {
    turns.shift()?.[Symbol.dispose]()
    await immediate()
  }
  return { queue, take, end, begun, turns }
}

const limit = (ms: number) => ({ ms, refusal: () => new Error('too late') })
// The timers of a queue do not keep a process running.
const running = setInterval(() => {}, 1_000)
t.teardown(() => clearInterval(running))

t.test('keys are served in round-robin order, and a kind goes before another', async (t) => {
  const { queue, take, end, begun } = givenQueue()
  await take('running')
  for (const key of ['a', 'a', 'a', 'b']) void take(key)
  void take('urgent', {}, 'first')
  await immediate()
  t.same(begun, ['running'])
  t.equal(queue.waiting('second'), 4)
  t.equal(queue.waitingIn({ key: 'a', kind: 'second' }), 3)
  await end()
  t.equal(queue.busyIn({ key: 'urgent', kind: 'first' }), 1)
  for (let turn = 0; turn < 4; turn++) await end()
  t.same(begun.slice(0, 2), ['running', 'urgent'])
  t.ok(begun.indexOf('b') < 4, begun.join(' '))
  await end()
  t.equal(queue.busy('second'), 0)
})

t.test('a claim that waits for too long is refused, and leaves its place', async (t) => {
  const { queue, take, end, begun } = givenQueue()
  await take('a')
  await t.rejects(take('a', { limit: limit(5) }), { message: 'too late' })
  t.equal(queue.waiting('second'), 0)
  await end()
  t.same(begun, ['a'])
})

t.test('a claim whose signal aborts leaves its place', async (t) => {
  const { take, end, begun } = givenQueue()
  await take('a')
  const client = new AbortController()
  const leaving = t.rejects(take('leaving', { signal: client.signal }), { message: 'left' })
  const staying = take('staying', { signal: new AbortController().signal, limit: limit(600_000) })
  client.abort(new Error('left'))
  await leaving
  await end()
  await staying
  t.same(begun, ['a', 'staying'])
  await t.rejects(take('late', { signal: client.signal }), { message: 'left' }, 'at once')
})

t.test('a full line refuses at once, and others take what may wait', async (t) => {
  const { queue, take } = givenQueue()
  await take('a')
  const waiting = Array.from({ length: 1_000 }, () => take('a', { limit: limit(600_000) }))
  const reason = new Error('closed')
  const refused = [...waiting, take('b')].map((one) => t.rejects(one, reason))
  const late = t.rejects(take('a', { limit: limit(600_000) }), { message: 'too late' })
  queue.refuseAll(reason)
  await Promise.all([...refused, late])
  t.equal(queue.waiting('second'), 0)
})

t.test('what may begin because time has passed begins', async (t) => {
  let isOpen = false
  const queue = new FairQueue({ kinds: ['any'], mayBegin: () => isOpen })
  const turn = queue.take({ owner: 'a', key: 'a', kind: 'any' })
  isOpen = true
  await turn
  t.equal(queue.busy('any'), 1)
})
