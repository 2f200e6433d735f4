import { randomUUID } from 'node:crypto'
import t from 'tap'
import { startS3Server } from '../../../testing/s3-server/s3-server.ts'
import { objectStoreSuite } from '../../object-store.suite.ts'
import type { ObjectStore } from '../../object-store.ts'
import { openObjectStore } from '../../open-object-store.ts'

/**
 * The suite runs against a server of our own, and against a real one too where it is named:
 *
 *   S3_TEST_URL=s3://127.0.0.1:9000/platen-test?tls=false S3_TEST_ACCESS_KEY=… S3_TEST_SECRET_KEY=… \
 *     node shared/src/object-store/adapters/s3.test.ts
 *
 * The keys may also stand in the address. The bucket is made if it is missing, and given a lifecycle rule if it has none;
 * what the suite puts there is deleted again, up to `inputs/.probe`.
 */
const { S3_TEST_URL: realUrl, S3_TEST_ACCESS_KEY: accessKey, S3_TEST_SECRET_KEY: secretKey } = process.env

t.test('the suite, on a server of our own', async (t) => {
  const server = await startS3Server()
  t.teardown(() => server.stop())
  objectStoreSuite(t, () => openObjectStore(server.url(`suite-${randomUUID()}`), server))
})

t.test('the suite, on the server of S3_TEST_URL', { skip: !realUrl && 'S3_TEST_URL is not set' }, async (t) => {
  objectStoreSuite(t, async () => leavingNothing(await openObjectStore(realUrl ?? '', { accessKey, secretKey })))
})

function leavingNothing(store: ObjectStore): ObjectStore {
  const keys = new Set<string>()
  return {
    put(key, body, contentType) {
      keys.add(key)
      return store.put(key, body, contentType)
    },
    info: (key) => store.info(key),
    get: (key, range) => store.get(key, range),
    delete: (key) => store.delete(key),
    publicUrl: (key, options) => store.publicUrl(key, options),
    check: () => store.check(),
    async close() {
      // Keys that the suite expects to be refused were never put.
      for (const key of keys) await store.delete(key).catch(() => undefined)
      await store.close()
    },
  }
}
