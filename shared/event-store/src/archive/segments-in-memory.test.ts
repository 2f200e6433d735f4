import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import t, { type Test } from 'tap'
import { openEventRemoval } from '../adapters/open-event-removal.ts'
import { openEventStore } from '../adapters/open-event-store.ts'
import { archiveLog } from './archive-log.ts'
import { type Archive, listSegments } from './read-archive.ts'
import { removeEvents } from './remove-events.ts'
import { SegmentsInMemory } from './segments-in-memory.ts'
import { withArchive } from './with-archive.ts'

// Each event and each object is flushed.
t.setTimeout(240_000)

const jobs = 5

/** Jobs that are in the archive only, each in a segment of its own. `get` is called before a segment is read. */
async function given(t: Test, get: (key: string) => Promise<void>) {
  const folder = t.testdir({ objects: {} })
  const url = `sqlite:${folder}/events.db`
  const raw = await openEventStore(url)
  t.teardown(() => raw.close())
  const objects = await openObjectStore(`file:${folder}/objects`)
  t.teardown(() => objects.close())
  for (let job = 0; job < jobs; job++) {
    await raw.append(`job-${job}`, [{ id: crypto.randomUUID(), type: 'Begun', data: job }], 'none')
  }
  for await (const _ of archiveLog({ store: raw, objects, categories: ['job'], segmentEvents: 1 }));
  const removal = await openEventRemoval(url)
  t.teardown(() => removal.close())
  const whole = withArchive(raw, { objects: () => objects })
  const before = new Date(Date.now() + 3_600_000)
  const removing = removeEvents({
    store: whole,
    removal,
    objects,
    categories: ['job'],
    known: ['job'],
    before,
    isOver: () => true,
  })
  for await (const _ of removing);
  const watched: Archive = {
    list: (category) => objects.list(category),
    async get(key) {
      if (key.endsWith('.gz')) await get(key)
      return objects.get(key)
    },
  }
  const store = withArchive(raw, { objects: () => watched })
  const read = async (job: number) => {
    const all: unknown[] = []
    for await (const { data } of store.readStream(`job-${job}`, { limit: 1 })) all.push(data)
    return all
  }
  return { archive: watched, read }
}

t.test('of many reads of the archive at once, one loads a segment at a time', async (t) => {
  let [loading, most, loads] = [0, 0, 0]
  const { read } = await given(t, async () => {
    most = Math.max(most, ++loading)
    loads++
    await new Promise(setImmediate)
    loading--
  })
  const all = Array.from({ length: 3 * jobs }, (_, at) => at % jobs)
  t.strictSame(
    await Promise.all(all.map((job) => read(job))),
    all.map((job) => [job]),
  )
  t.equal(most, 1)
  t.ok(loads >= jobs)
})

t.test('a read that is ended waits for no segment, and one that nobody waits for is not loaded', async (t) => {
  const [begun, hanging] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const loaded: string[] = []
  const { archive } = await given(t, async (key) => {
    loaded.push(key)
    begun.resolve()
    await hanging.promise
  })
  const inMemory = new SegmentsInMemory(async () => archive)
  const [one, two, three] = await listSegments(archive)
  if (!one || !two || !three) throw new Error('there must be three segments')
  const first = inMemory.load(one)
  await begun.promise
  const ended = new AbortController()
  const waiting = [inMemory.load(one, ended.signal), inMemory.load(two, ended.signal)]
  const last = inMemory.load(three)
  ended.abort(new Error('ended'))
  for (const load of waiting) await t.rejects(load, { message: 'ended' })
  await t.rejects(inMemory.load(two, ended.signal), { message: 'ended' })
  hanging.resolve()
  t.strictSame([(await first).segment, (await last).segment], [one, three])
  t.strictSame(loaded, [one.object_key, three.object_key])
  t.strictSame((await inMemory.load(two)).segment, two, 'who comes later loads it')
})

t.test('a load that fails does not fail a later one of the same segment', async (t) => {
  const gates: PromiseWithResolvers<void>[] = []
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { read } = await given(t, () => {
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    begun[gates.length - 1]?.resolve()
    return gates.length > 2 ? Promise.resolve() : gate.promise
  })
  const first = read(0)
  await begun[0]?.promise
  gates[0]?.reject(new Error('failed'))
  await t.rejects(first, { message: 'failed' })
  const second = read(0)
  await begun[1]?.promise
  gates[1]?.resolve()
  t.strictSame(await second, [0])
  t.strictSame(await read(0), [0])
  t.equal(gates.length, 2, 'it is kept')
})
