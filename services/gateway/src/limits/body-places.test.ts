import { setImmediate as immediate } from 'node:timers/promises'
import t from 'tap'
import { BodyPlaces } from './body-places.ts'

// The timers of the places do not keep a process running.
const running = setInterval(() => {}, 1_000)
t.teardown(() => clearInterval(running))
const connected = new AbortController().signal

/** Places of one owner, each for a body of another API key. */
function placesOf(ownerId: string, { isAlone = false, maxPlaceMs = 60_000 } = {}) {
  const places = new BodyPlaces({ mustYield: () => !isAlone, maxPlaceMs })
  const taken: Disposable[] = []
  let keys = 0
  const take = (disconnected = connected) =>
    places.take({ ownerId, apiKeyId: `key-${keys++}`, disconnected }).then((place) => void taken.push(place))
  return { places, taken, take, end: () => taken.shift()?.[Symbol.dispose]() }
}

t.test('while others are active, two large bodies of an owner arrive at once; alone it has no limit', async (t) => {
  const alone = placesOf('alone', { isAlone: true })
  await Promise.all(Array.from({ length: 20 }, () => alone.take()))
  const { taken, take, end } = placesOf('many')
  const waiting = Array.from({ length: 5 }, () => take())
  for (let ended = 0; ended < 3; ended++) {
    await immediate()
    t.equal(taken.length, 2)
    end()
  }
  await Promise.all(waiting)
})

t.test('a client that leaves gives its place in the queue back, and a slow one its place', async (t) => {
  const { taken, take } = placesOf('many', { maxPlaceMs: 100 })
  await Promise.all([take(), take()])
  const client = new AbortController()
  const left = t.rejects(take(client.signal), { name: 'AbortError' })
  client.abort()
  await left
  await take()
  t.equal(taken.length, 3, 'the two others have not ended')
})

t.test('bodies that an owner has in memory are bounded', async (t) => {
  const { places } = placesOf('many')
  const large = 20 * 1024 * 1024
  const held = places.hold('many', large)
  t.throws(() => places.hold('many', large), { code: 'CONCURRENCY_LIMIT_EXCEEDED', details: { retry_after_s: 1 } })
  places.hold('one', large)[Symbol.dispose]()
  held[Symbol.dispose]()
  places.hold('many', large)[Symbol.dispose]()
})
