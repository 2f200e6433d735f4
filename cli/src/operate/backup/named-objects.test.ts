import { openEventRemoval } from '@platen/event-store/adapters/open-event-removal.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { openEventCopy } from '@platen/event-store/adapters/sqlite/read-copy.ts'
import { archiveLog } from '@platen/event-store/archive/archive-log.ts'
import { listSegments } from '@platen/event-store/archive/read-archive.ts'
import { removeEvents } from '@platen/event-store/archive/remove-events.ts'
import { manifestKey } from '@platen/event-store/archive/segment.ts'
import { withArchive } from '@platen/event-store/archive/with-archive.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import t from 'tap'
import { namedObjects } from './named-objects.ts'

t.test('a log that lacks events names all segments up to them, as readers go through all', async (t) => {
  const folder = t.testdir({ objects: {} })
  const url = `sqlite:${folder}/events.db`
  const raw = await openEventStore(url)
  t.teardown(() => raw.close())
  const objects = await openObjectStore(`file:${folder}/objects`)
  t.teardown(() => objects.close())
  const store = withArchive(raw, { objects: () => objects })
  const event = (type: string) => ({ id: crypto.randomUUID(), type, data: {} })
  for (const stream of ['owner-1', 'job-1', 'owner-2', 'job-2', 'owner-3'])
    await store.append(stream, [event('Noted')], 'none')
  const categories = ['job', 'owner']
  for await (const _ of archiveLog({ store, objects, categories, segmentEvents: 1 }));
  const removal = await openEventRemoval(url)
  t.teardown(() => removal.close())
  const before = new Date(Date.now() + 3_600_000)
  const common = { store, removal, objects, categories: ['job'], known: categories, before }
  for await (const _ of removeEvents({ ...common, isOver: () => true }));
  using copy = openEventCopy(`${folder}/events.db`, { isLive: true })
  const named = [...namedObjects(copy)].map(({ key }) => key)
  const segments = await listSegments(objects)
  t.equal(segments.length, 5)
  t.strictSame(named.toSorted(), segments.flatMap((one) => [manifestKey(one), one.object_key]).toSorted())
})
