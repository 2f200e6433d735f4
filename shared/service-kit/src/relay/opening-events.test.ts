import { openEventRemoval } from '@platen/event-store/adapters/open-event-removal.ts'
import { archiveLog } from '@platen/event-store/archive/archive-log.ts'
import { listSegments } from '@platen/event-store/archive/read-archive.ts'
import { removeEvents } from '@platen/event-store/archive/remove-events.ts'
import { manifestKey, nameOf } from '@platen/event-store/archive/segment.ts'
import { withArchive } from '@platen/event-store/archive/with-archive.ts'
import type { NewEvent, StoredEvent } from '@platen/event-store/event-store.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import { type ObjectStore, ObjectStoreUnavailable } from '@platen/object-store/object-store.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import { givenRelay } from '@platen/test-support/relay/given-relay.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import { until } from '@platen/test-support/until.ts'
import t, { type Test } from 'tap'

t.setTimeout(240_000)

const hour = 3_600_000
const goesOn = 'a relay goes on past an event whose first one cannot be read'
const event = (type: string, data: NewEvent['data'] = {}): NewEvent => ({ id: crypto.randomUUID(), type, data })

/** A generation of which the log has `MovedToArchive` only. */
async function givenRemoved(t: Test) {
  const { relay, published } = await givenRelay(t)
  const temporary = await openTemporaryStore()
  t.teardown(() => temporary[Symbol.asyncDispose]())
  const { store: raw, url } = temporary
  const objects = await openObjectStore(`file:${t.testdir()}`)
  t.teardown(() => objects.close())
  const removal = await openEventRemoval(url)
  t.teardown(() => removal.close())
  const ended = [event('GenerationRequested', { owner_id: 'own_1', api_key_id: 'key_1' }), event('GenerationCancelled')]
  for (const one of ended) await raw.append('generation-x0', [one], 'any')
  const log = { store: withArchive(raw, { objects: () => objects, recentMs: 0 }), objects, categories: ['generation'] }
  for await (const _ of archiveLog(log));
  const before = new Date(Date.now() + hour)
  const isOver = (_: string, events: readonly StoredEvent[]) =>
    events.some(({ type }) => type === 'GenerationCancelled')
  for await (const _ of removeEvents({ ...log, known: log.categories, removal, before, isOver }));
  const [segment] = await listSegments(objects)
  if (!segment) throw new Error('there must be a segment')
  const { log: recorded, text } = recordingLog('warn')
  const start = (archive: Pick<ObjectStore, 'list' | 'get'> = objects) =>
    // A process that has read a segment keeps it for a while.
    relay({ store: withArchive(raw, { objects: () => archive, recentMs: 0 }), log: recorded })
  return {
    objects,
    segment,
    text,
    start,
    published,
    /** An event of the removed generation, and one of another. */
    async record() {
      await raw.append('generation-x0', [event('ContentErased', { erased_at: '2026-03-01T09:00:00.000Z' })], 'any')
      await raw.append('generation-x1', [event('GenerationStarted')], 'none')
    },
  }
}

type Given = Awaited<ReturnType<typeof givenRemoved>>

const damages: Record<string, (given: Given) => Promise<unknown>> = {
  'a segment that is missing': ({ objects, segment }) => objects.delete(segment.object_key),
  'a segment that is damaged': ({ objects, segment }) =>
    objects.put(segment.object_key, Buffer.from('damaged'), 'application/gzip'),
  'a segment without its manifest': ({ objects, segment }) => objects.delete(manifestKey(segment)),
  'a segment with a damaged manifest': ({ objects, segment }) =>
    objects.put(manifestKey(segment), Buffer.from('damaged'), 'application/json'),
}

for (const [damaged, damage] of Object.entries(damages)) {
  t.test(`${goesOn}: ${damaged}`, async (t) => {
    const given = await givenRemoved(t)
    const { segment, text, start, record, published } = given
    await (await start())()
    await damage(given)
    await start()
    await record()
    const events = await published(2)
    t.match(
      events.find(({ subject }) => subject === 'x0'),
      { type: 'com.platen.ContentErased', data: { owner_id: 'unknown' } },
    )
    t.ok(events.some(({ subject }) => subject === 'x1'))
    t.match(text(), 'event published without its owner')
    t.match(text(), nameOf(segment), 'it names the segment')
  })
}

t.test('a relay without a trace of its own begins although the archive is damaged', async (t) => {
  const given = await givenRemoved(t)
  await given.objects.delete(given.segment.object_key)
  await given.start()
  await given.record()
  t.equal((await given.published(2)).length, 2)
  t.match(given.text(), 'it publishes new events only')
})

t.test('a relay waits for an object store that is unavailable', async (t) => {
  const { objects, text, start, record, published } = await givenRemoved(t)
  await (await start())()
  let isAway = true
  await start({
    list: (category) => objects.list(category),
    async get(key) {
      if (isAway) throw new ObjectStoreUnavailable('away')
      return objects.get(key)
    },
  })
  await record()
  await until(() => text().includes('event store unavailable, retrying') || undefined, 'it does not wait')
  isAway = false
  const events = await published(2)
  t.match(
    events.find(({ subject }) => subject === 'x0'),
    { type: 'com.platen.ContentErased', data: { owner_id: 'own_1' } },
  )
})
