import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import { startFakeEventStoreDb } from '@platen/test-support/fake-eventstoredb/start-fake-eventstoredb.ts'
import t, { type Test } from 'tap'
import { openEventStore } from '../adapters/open-event-store.ts'
import type { EventStore, NewEvent, StoredEvent } from '../event-store.ts'
import { type ArchiveOptions, archiveLog } from './archive-log.ts'
import { listSegments, readSegment } from './read-archive.ts'
import { manifestKey } from './segment.ts'

const categories = ['template', 'owner']

const engines: [name: string, open: (t: Test, folder: string) => Promise<EventStore>][] = [
  ['SQLite', (_t, folder) => openEventStore(`sqlite:${folder}/events.db`)],
  [
    'EventStoreDB',
    async (t) => {
      const fake = await startFakeEventStoreDb()
      t.teardown(() => fake[Symbol.asyncDispose]())
      return openEventStore(fake.url)
    },
  ],
]

const event = (text: string): NewEvent => ({
  id: crypto.randomUUID(),
  type: 'OwnerRenamed',
  data: { name: text },
  metadata: { correlation_id: 'req_1' },
})

async function everything(store: EventStore): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const event of store.readLog({ after: 'start', categories: ['owner', 'template'] })) events.push(event)
  return events
}

for (const [name, open] of engines) {
  t.test(`the log in ${name} is archived in segments, continued, and read back`, async (t) => {
    const folder = t.testdir({ objects: {} })
    const store = await open(t, folder)
    t.teardown(() => store.close())
    const objects = await openObjectStore(`file:${folder}/objects`)
    t.teardown(() => objects.close())
    const archive = async (options: Partial<ArchiveOptions> = {}) => {
      const segments = []
      for await (const segment of archiveLog({ store, objects, categories, segmentEvents: 4, ...options }))
        segments.push(segment)
      return segments.map(({ number, events }) => [number, events])
    }
    const archived = async () => {
      const lines = []
      for (const segment of await listSegments(objects)) lines.push(...(await readSegment(objects, segment)))
      return lines.map((line) => JSON.parse(line))
    }
    t.same(await archive(), [], 'an empty log')
    for (let number = 0; number < 10; number++) {
      await store.append(`owner-own_${number % 3}`, [event(`Größe ${number}\n`)], 'any')
      await store.append(`other-${number}`, [event('of another application')], 'any')
    }
    const before = (await everything(store))[2]?.recordedAt
    t.same(await archive({ before: new Date((before?.getTime() ?? 0) - 60_000) }), [], 'nothing is old enough')
    const [, second, third] = await everything(store)
    t.same(await archive({ through: second?.position }), [[1, 2]])
    t.same(await archive({ through: second?.position }), [], 'again')
    t.same(await archive({ through: third?.position }), [[2, 1]])
    t.same(await archive(), [
      [3, 4],
      [4, 3],
    ])
    t.same(await archive(), [], 'again')
    await store.append('template-tpl_1', [event('later')], 'any')
    t.same(await archive(), [[5, 1]])
    const wanted = (await everything(store)).map(({ recordedAt, ...rest }) => ({
      ...rest,
      recorded_at: recordedAt.toISOString(),
    }))
    t.equal(wanted.length, 11)
    t.strictSame(await archived(), wanted)

    // A crash after the object and before the manifest.
    const manifests = (await readdir(join(folder, 'objects', 'archive')))
      .filter((file) => file.endsWith('.json'))
      .sort()
    await rm(join(folder, 'objects', 'archive', manifests.at(-1) ?? ''))
    t.same(await archive(), [[5, 1]], 'what was interrupted is written again')
    t.strictSame(await archived(), wanted)
  })
}

t.test('an archive that is damaged is not read, and one of a longer log is not continued', async (t) => {
  const folder = t.testdir({ objects: {} })
  const store = await openEventStore(`sqlite:${folder}/events.db`)
  t.teardown(() => store.close())
  const objects = await openObjectStore(`file:${folder}/objects`)
  t.teardown(() => objects.close())
  for (let number = 0; number < 6; number++) await store.append('owner-own_1', [event(`${number}`)], 'any')
  const segments = []
  for await (const segment of archiveLog({ store, objects, categories, segmentEvents: 2 })) segments.push(segment)
  const [first, second, third] = segments
  if (!first || !second) throw new Error('there must be three segments')
  const path = join(folder, 'objects', first.object_key)
  t.equal(
    gunzipSync(await readFile(path))
      .toString()
      .split('\n').length,
    3,
  )
  await writeFile(path, await readFile(join(folder, 'objects', second.object_key)))
  await t.rejects(readSegment(objects, first), { name: 'DamagedArchive', message: /SHA-256/ })
  const manifest = manifestKey(second)
  const text = await readFile(join(folder, 'objects', manifest), 'utf8')
  await objects.delete(manifest)
  await t.rejects(listSegments(objects), { name: 'DamagedArchive', message: /gap before its segment 3/ })
  await objects.put(manifest, Buffer.from('{}'), 'application/json')
  await t.rejects(listSegments(objects), { message: /is not a manifest/ })
  // The position after the last event: as if the event store had been restored from an older copy.
  const beyond = { ...JSON.parse(text), through: second.through.replace(/:4:/, ':40:') }
  await objects.put(manifest, Buffer.from(JSON.stringify(beyond)), 'application/json')
  if (third) await objects.delete(manifestKey(third))
  const continuing = async () => {
    for await (const _ of archiveLog({ store, objects, categories })) throw new Error('nothing may be written')
  }
  await t.rejects(continuing(), {
    name: 'InvalidPosition',
    message: /older copy was restored. Move the objects archive\//,
  })
})
