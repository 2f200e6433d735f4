import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import tls from 'node:tls'
import { startFakeS3 } from '@platen/test-support/fake-s3/start-fake-s3.ts'
import t, { type Test } from 'tap'
import { openObjectStore } from '../../open-object-store.ts'

/** A self-signed certificate for 127.0.0.1; undefined without openssl. */
function certificate(t: Test): { key: string; cert: string } | undefined {
  const [key, cert] = [join(t.testdir(), 'key.pem'), join(t.testdir(), 'cert.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  const made = spawnSync('openssl', ['req', ...form, ...subject, '-keyout', key, '-out', cert])
  return made.status === 0 ? { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') } : undefined
}

t.test('objects are stored over TLS with unsigned bodies', async (t) => {
  const pair = certificate(t)
  if (!pair) return t.pass('openssl is not installed')
  const server = await startFakeS3({ tls: pair })
  t.teardown(() => server.stop())
  const url = server.url('platen')
  t.match(url, /tls=true/)

  const untrusted = { name: 'ObjectStoreUnavailable', message: /\(DEPTH_ZERO_SELF_SIGNED_CERT\)$/ }
  await t.rejects(openObjectStore(url, server), untrusted)

  const trusted = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...trusted, pair.cert])
  t.teardown(() => tls.setDefaultCACertificates(trusted))
  const store = await openObjectStore(url, server)
  t.teardown(() => store.close())
  await store.put('pdfs/a', Buffer.alloc(500_000, 'a'), 'application/pdf')
  t.equal((await buffer(await store.get('pdfs/a'))).length, 500_000)
  server.plan({ kind: 'cut', method: 'GET' })
  await t.rejects(buffer(await store.get('pdfs/a')), { name: 'ObjectStoreUnavailable' })
})
