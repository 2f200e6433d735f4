import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { startFakeS3 } from '@platen/test-support/fake-s3/start-fake-s3.ts'
import { selfSigned } from '@platen/test-support/self-signed.ts'
import { trust } from '@platen/test-support/trust.ts'
import t from 'tap'
import { openObjectStore, openS3Folder } from '../open-object-store.ts'

t.test('objects are stored over TLS with unsigned bodies', async (t) => {
  const pair = selfSigned(t)
  if (!pair) return t.pass('openssl is not installed')
  const server = await startFakeS3({ tls: pair })
  t.teardown(() => server.stop())
  const url = server.url('platen')
  t.match(url, /tls=true/)

  const refused = (message: RegExp, at = url) => t.rejects(openObjectStore(at, server), { message })
  await refused(/cannot be used: its certificate is of an unknown authority: set NODE_EXTRA_CA_CERTS$/)
  trust(t, readFileSync(pair.certPath, 'utf8'))
  await refused(/its certificate is for another host name/, url.replace('127.0.0.1', 'localhost'))
  const plain = await startFakeS3()
  t.teardown(() => plain.stop())
  await refused(/the server does not use TLS: add tls=false/, plain.url('platen').replace('tls=false', 'tls=true'))
  plain.plan({ kind: 'text', times: 9 })
  await refused(/the server uses TLS: remove tls=false/, plain.url('platen'))

  const store = await openObjectStore(url, server)
  t.teardown(() => store.close())
  await store.put('pdfs/a', Buffer.alloc(500_000, 'a'), 'application/pdf')
  t.equal((await buffer(await store.get('pdfs/a'))).length, 500_000)
  // A bucket with Object Lock requires checksums.
  server.needsChecksums = true
  const folder = await openS3Folder(url.replace('/platen', '/platen/folder'), server)
  t.teardown(() => folder.close())
  await folder.put('pdfs/b', Buffer.from('b'), 'application/pdf')
  t.type(await folder.putIf('lock/b', Buffer.from('b'), undefined), 'string')
  server.plan({ kind: 'cut', method: 'GET' })
  t.equal((await buffer(await store.get('pdfs/a'))).length, 500_000)
})
