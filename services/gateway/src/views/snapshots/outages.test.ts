import { Readable } from 'node:stream'
import { type ObjectStore, ObjectStoreUnavailable } from '@platen/object-store/object-store.ts'
import t from 'tap'
import { bound, follow, generate, given, load, take } from './given-snapshots.ts'

t.setTimeout(300_000)

/** The same store, whose answers to reads of parts are replaced: by the number of the read, from 1. */
function failing(objects: ObjectStore, answer: (read: number) => Promise<Readable> | undefined): ObjectStore {
  let reads = 0
  const get: ObjectStore['get'] = (key, ...rest) =>
    (key.endsWith('.zst') ? answer(++reads) : undefined) ?? objects.get(key, ...rest)
  return Object.assign(bound(objects), { get })
}

const unavailable = () => new ObjectStoreUnavailable('The object store cannot be reached')

async function* brokenOff() {
  yield Buffer.from('half of')
  throw unavailable()
}

t.test('an object store that is unavailable for some seconds does not end the load of a snapshot', async (t) => {
  const all = await given(t)
  const { store, objects, first, second } = all
  await generate(store, 30)
  await follow(first, store, () => {})
  await take(first, objects)
  const restarting = failing(objects, (read) => {
    if (read === 1) return Promise.reject(unavailable())
    return read === 2 ? Promise.resolve(Readable.from(brokenOff())) : undefined
  })
  const { origin, lines } = await load(second, { ...all, objects: restarting })
  t.match(origin, /^from the snapshot .* with 30 events$/)
  t.match(
    lines.map(({ message }) => message),
    ['object store unavailable, retrying', 'object store available again', 'views loaded from a snapshot'],
  )
})

t.test('if it is unavailable for longer, all events are read', async (t) => {
  const all = await given(t)
  const { store, objects, first, second } = all
  await generate(store, 3)
  await follow(first, store, () => {})
  await take(first, objects)
  const away = failing(objects, () => Promise.reject(unavailable()))
  const { origin, lines } = await load(second, { ...all, objects: away }, { patienceMs: 300 })
  t.match(origin, 'none of 1 can be used')
  t.ok(lines.some(({ err }) => err instanceof ObjectStoreUnavailable))
})

t.test('a list that fails once is asked for again', async (t) => {
  const all = await given(t)
  const { store, objects, first, second } = all
  await generate(store, 3)
  await follow(first, store, () => {})
  await take(first, objects)
  let lists = 0
  const busy = Object.assign(bound(objects), {
    async *list(...args: Parameters<ObjectStore['list']>) {
      if (++lists === 1) throw unavailable()
      yield* objects.list(...args)
    },
  })
  t.match((await load(second, { ...all, objects: busy })).origin, /^from the snapshot/)
})
