import { setImmediate as immediate } from 'node:timers/promises'
import t from 'tap'
import { answerOf } from '../answers/answer-errors.ts'
import { FormPlaces, type FormSize } from './form-places.ts'

// The timers of the queue do not keep a process running.
const running = setInterval(() => {}, 1_000)
t.teardown(() => clearInterval(running))
const connected = new AbortController().signal

function placesOf(options = {}) {
  const places = new FormPlaces(options)
  const taken: Disposable[] = []
  const take = async (apiKeyId: string, size: FormSize = 'large', ownerId = 'owner', disconnected = connected) =>
    void taken.push(await places.take({ ownerId, apiKeyId, disconnected }, size))
  return { taken, take }
}

t.test('an owner has four large forms in memory, a key three of them, and the next one waits', async (t) => {
  const { taken, take } = placesOf()
  const waiting = Array.from({ length: 5 }, () => take('a'))
  await immediate()
  t.equal(taken.length, 3)
  const other = take('b')
  await other
  t.equal(taken.length, 4)
  const third = take('c')
  await immediate()
  t.equal(taken.length, 4, 'the owner has all of its places')
  await take('d', 'large', 'another owner')
  await take('c', 'small')
  for (const expected of [7, 8, 9]) {
    taken[expected - 7]?.[Symbol.dispose]()
    await immediate()
    t.equal(taken.length, expected)
  }
  await Promise.all([...waiting, third])
})

t.test(
  'all owners together have six large forms in memory; the next one waits, and is then told that there is no memory',
  async (t) => {
    const { taken, take } = placesOf({ waitMs: 500 })
    await Promise.all(['a', 'b', 'c'].flatMap((owner) => [take(owner, 'large', owner), take(owner, 'large', owner)]))
    const next = take('d', 'large', 'd')
    await immediate()
    t.equal(taken.length, 6)
    await take('d', 'small', 'd')
    taken[0]?.[Symbol.dispose]()
    await next
    const refused = await take('e', 'large', 'e').catch((err) => err)
    t.match(refused, { code: 'QUEUE_FULL', message: /memory for forms/ })
    t.match(answerOf(refused), { status: 429 })
  },
)

t.test('a form that waits for too long is refused, and one whose client has left does not wait', async (t) => {
  const { taken, take } = placesOf({ waitMs: 50 })
  await Promise.all([take('a'), take('a'), take('a')])
  await t.rejects(take('a'), { code: 'CONCURRENCY_LIMIT_EXCEEDED' })
  const client = new AbortController()
  const left = t.rejects(take('a', 'large', 'owner', client.signal), { name: 'AbortError' })
  client.abort()
  await left
  t.equal(taken.length, 3)
})
