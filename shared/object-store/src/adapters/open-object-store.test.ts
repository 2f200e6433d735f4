import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startFakeS3 } from '@platen/test-support/fake-s3/start-fake-s3.ts'
import t from 'tap'
import { openObjectStore } from './open-object-store.ts'

t.test('file: opens a folder, absolute or relative to the working directory', async (t) => {
  const base = t.testdir({ here: {} })
  const cwd = process.cwd()
  for (const url of [`file:${base}/one`, `file://${base}/two`, `file:./three`, 'file:../four']) {
    process.chdir(join(base, 'here'))
    const store = await openObjectStore(url).finally(() => process.chdir(cwd))
    await store.check()
    await store.close()
  }
  t.ok(existsSync(join(base, 'here/three')) && existsSync(join(base, 'four')))
})

t.test('other values are refused with the name of the setting', async (t) => {
  for (const url of [
    '',
    'file:',
    'file:objects',
    'file://host/dir',
    '/data',
    'http://key:hidden@minio:9000/bucket',
    'minio://key:hid/hidden@x@minio:9000/bucket',
    'file:/a\0b',
  ]) {
    const err = await openObjectStore(url).then(String, String)
    t.match(err, /^Error: OBJECT_STORE_URL must be file:\/absolute\/dir or file:\.\/relative\/dir/, JSON.stringify(url))
    t.notMatch(err, /hidden/)
  }
})

t.test('s3: opens a bucket, with keys in the URL or in settings', async (t) => {
  const server = await startFakeS3()
  t.teardown(() => server.stop())
  const store = await openObjectStore(server.url('platen'), server)
  await store.check()
  await store.close()
  t.ok(server.buckets.has('platen'))
  const err = await openObjectStore('s3://key:hid/hidden@minio:9000/bucket').then(String, String)
  t.match(err, /^Error: OBJECT_STORE_URL must be s3:\/\/host:port\/bucket/)
  t.notMatch(err, /hidden/)
})
