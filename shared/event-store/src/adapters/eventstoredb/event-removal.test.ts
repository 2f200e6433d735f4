import { spawnSync } from 'node:child_process'
import { startFakeEventStoreDb } from '@platen/test-support/fake-eventstoredb/start-fake-eventstoredb.ts'
import { selfSigned } from '@platen/test-support/self-signed.ts'
import t from 'tap'
import { movedToArchive } from '../../event-catalogue.ts'
import { newEvent, readAll } from '../../suite/given-store.ts'
import { openEventRemoval } from '../open-event-removal.ts'
import { openEventStore } from '../open-event-store.ts'
import { setUpEventStoreDb } from './set-up.ts'

t.test('streams are truncated, and keep their other metadata', async (t) => {
  const fake = await startFakeEventStoreDb()
  t.teardown(() => fake[Symbol.asyncDispose]())
  const store = await openEventStore(fake.url)
  t.teardown(() => store.close())
  for (const stream of ['job-1', 'job-2'])
    await store.append(stream, [newEvent(1), newEvent(2), newEvent(null, movedToArchive)], 'none')
  await fake.write('$$job-2', '$metadata', { $maxCount: 100, own: true })
  const removal = await openEventRemoval(fake.url)
  t.teardown(() => removal.close())
  const removed = ['job-1', 'job-2'].map((stream) => ({ stream, before: 2 }))
  await removal.remove(removed)
  await removal.remove(removed)
  t.equal(await removal.reclaim(), undefined)
  for (const { stream } of removed) {
    t.match(await readAll(store.readStream(stream)), [{ revision: 2, type: movedToArchive }])
  }
  t.strictSame(fake.metadataOf('job-1'), [{ $tb: 2 }], 'once')
  t.match(fake.metadataOf('job-2'), [{ own: true }, { $maxCount: 100, own: true, $tb: 2 }])
  const before = fake.count
  fake.scavenge()
  t.equal(fake.count, before)
  t.match(await readAll(store.readLog({ after: 'start', categories: ['job'] })), [{ revision: 2 }, { revision: 2 }])
})

const skip = spawnSync('openssl', ['version']).status === 0 ? false : 'no openssl'

t.test('the user of the services may not truncate streams, and an administrator may', { skip }, async (t) => {
  const own = selfSigned(t)
  if (!own) throw new Error('openssl is missing')
  await using fake = await startFakeEventStoreDb({ tls: own })
  const as = (login: string) => `esdb://${login}@127.0.0.1:${fake.port}?tlsCAFile=${encodeURIComponent(own.certPath)}`
  const admin = as('admin:changeit')
  for await (const _ of setUpEventStoreDb(admin, { name: 'platen', password: 'p' }, { projections: false }));
  const store = await openEventStore(as('platen:p'))
  t.teardown(() => store.close())
  await store.append('job-1', [newEvent(1), newEvent(null, movedToArchive)], 'none')
  const removed = [{ stream: 'job-1', before: 1 }]
  const [refused, allowed] = [await openEventRemoval(as('platen:p')), await openEventRemoval(admin)]
  t.teardown(() => Promise.all([refused.close(), allowed.close()]))
  await t.rejects(refused.remove(removed), { name: 'StoreMisconfigured', message: /the user lacks a right/ })
  t.equal((await readAll(store.readStream('job-1'))).length, 2)
  await allowed.remove(removed)
  t.equal((await readAll(store.readStream('job-1'))).length, 1)
})
