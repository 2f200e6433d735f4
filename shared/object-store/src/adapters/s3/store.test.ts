import { randomBytes, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { startFakeS3 } from '@platen/test-support/fake-s3/start-fake-s3.ts'
import t from 'tap'
import { objectStoreSuite } from '../../object-store.suite.ts'
import type { ObjectStore } from '../../object-store.ts'
import { openObjectStore } from '../open-object-store.ts'

/**
 * The suite runs against the fake server, and against a real one if S3_TEST_URL is set:
 *
 *   S3_TEST_URL=s3://127.0.0.1:9000/platen-test?tls=false S3_TEST_ACCESS_KEY=… S3_TEST_SECRET_KEY=… \
 *     node shared/object-store/src/adapters/s3/store.test.ts
 *
 * The URL may contain the keys. The bucket is created if it is missing. The suite deletes its objects, except `inputs/.probe`.
 */
const { S3_TEST_URL: realUrl, S3_TEST_ACCESS_KEY: accessKey, S3_TEST_SECRET_KEY: secretKey } = process.env

t.test('the behaviour suite, on the fake server', async (t) => {
  const server = await startFakeS3()
  t.teardown(() => server.stop())
  objectStoreSuite(t, () => openObjectStore(server.url(`suite-${randomUUID()}`), server))
})

t.test('a body that breaks off is whole, also if the store sends less than the rest', async (t) => {
  await using server = await startFakeS3()
  const store = await openObjectStore(server.url('platen'), server)
  t.teardown(() => store.close())
  const body = randomBytes(1_000_000)
  await store.put('pdfs/a', body, 'application/pdf')
  for (const kind of ['cut', 'less'] as const) server.plan({ kind, method: 'GET', of: 'pdfs/a' })
  t.ok((await buffer(await store.get('pdfs/a'))).equals(body))
})

t.test(
  'the behaviour suite, on the server of S3_TEST_URL',
  { skip: !realUrl && 'S3_TEST_URL is not set' },
  async (t) => {
    objectStoreSuite(t, async () => deletingObjects(await openObjectStore(realUrl ?? '', { accessKey, secretKey })))
  },
)

function deletingObjects(store: ObjectStore): ObjectStore {
  const keys = new Set<string>()
  return {
    put(key, body, contentType) {
      keys.add(key)
      return store.put(key, body, contentType)
    },
    info: (key) => store.info(key),
    get: (key, range) => store.get(key, range),
    delete: (key) => store.delete(key),
    list: (category, stems) => store.list(category, stems),
    publicUrl: (key, options) => store.publicUrl(key, options),
    check: () => store.check(),
    async close() {
      // Keys that the store refused were never put.
      for (const key of keys) await store.delete(key).catch(() => undefined)
      await store.close()
    },
  }
}
