import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FaultKind } from '@platen/test-support/fake-s3/faults.ts'
import { type FakeS3, startFakeS3 } from '@platen/test-support/fake-s3/start-fake-s3.ts'
import t, { type Test } from 'tap'
import { type ObjectStore, ObjectStoreUnavailable } from '../../object-store.ts'
import { openS3 } from './store.ts'
import { parseS3Url } from './url.ts'

const pdf = 'application/pdf'
const deadlines = { connectMs: 300, idleMs: 300 }

async function openStore(t: Test): Promise<{ server: FakeS3; store: ObjectStore }> {
  const server = await startFakeS3()
  const store = await openS3(parseS3Url(server.url('platen'), server), { deadlines })
  t.teardown(async () => {
    await store.close()
    await server.stop()
  })
  return { server, store }
}

const unavailable = (message: RegExp) => ({ name: 'ObjectStoreUnavailable', message })

t.test('a failed put throws and keeps the old object, and the next put works', async (t) => {
  const { server, store } = await openStore(t)
  const faults: [FaultKind, RegExp][] = [
    ['unavailable', /^The object store cannot be written to \(HTTP 503\)$/],
    ['refuse', /\(ECONNRESET\)$/],
    ['reset', /\(ECONNRESET\)$/],
    ['cut', /\((ECONNRESET|EPIPE)\)$/],
    ['hang', /\(TIMEOUT\)$/],
    ['stall', /\(TIMEOUT\)$/],
  ]
  for (const [kind, message] of faults) {
    await store.put('pdfs/a', Buffer.from(kind), pdf)
    // Twice, because a request on a reused connection is repeated once.
    server.plan({ kind, method: 'PUT', times: 2 })
    await t.rejects(store.put('pdfs/a', randomBytes(3_000_000), pdf), unavailable(message), kind)
    server.heal()
    t.equal((await buffer(await store.get('pdfs/a'))).toString(), kind)
  }
})

t.test('a get that breaks off fails', async (t) => {
  const { server, store } = await openStore(t)
  const body = randomBytes(2_000_000)
  await store.put('pdfs/a', body, pdf)
  const faults: [FaultKind, RegExp][] = [
    ['reset', /^The object store cannot be read to the end \(ECONNRESET\)$/],
    ['cut', /read to the end \(/],
    ['stall', /read to the end \(TIMEOUT\)$/],
  ]
  for (const [kind, message] of faults) {
    server.plan({ kind, method: 'GET' })
    const reader = await store.get('pdfs/a')
    let received = 0
    reader.on('data', (chunk: Buffer) => {
      received += chunk.length
    })
    await t.rejects(once(reader, 'end'), unavailable(message), kind)
    t.ok(received > 0 && received < body.length, `${kind} after some bytes`)
  }
  t.ok((await buffer(await store.get('pdfs/a'))).equals(body))
})

t.test('a get without an answer throws', async (t) => {
  const { server, store } = await openStore(t)
  await store.put('pdfs/a', Buffer.from('one'), pdf)
  for (const kind of ['unavailable', 'refuse', 'hang', 'html'] as const) {
    server.plan({ kind, times: 2 })
    await t.rejects(store.get('pdfs/a'), ObjectStoreUnavailable, kind)
    server.heal()
    server.plan({ kind, times: 2 })
    await t.rejects(store.info('pdfs/a'), ObjectStoreUnavailable, `info: ${kind}`)
    server.heal()
  }
})

t.test('a store that ignores the range is an error', async (t) => {
  const { server, store } = await openStore(t)
  await store.put('pdfs/a', Buffer.from('0123456789'), pdf)
  server.plan({ kind: 'whole', method: 'GET' })
  await t.rejects(store.get('pdfs/a', { start: 0, end: 0 }), unavailable(/unexpected response/))
  t.equal(
    (await buffer(await store.get('pdfs/a', { start: 20, end: 30 }))).length,
    0,
    'there are no bytes beyond the end',
  )
})

t.test('a slow reader does not time out', async (t) => {
  const { store } = await openStore(t)
  const body = randomBytes(5_000_000)
  await store.put('pdfs/a', body, pdf)
  const reader = await store.get('pdfs/a')
  const chunks: Buffer[] = []
  for await (const chunk of reader) {
    if (chunks.length === 0) await new Promise((resolve) => setTimeout(resolve, 3 * deadlines.idleMs))
    chunks.push(chunk)
  }
  t.ok(Buffer.concat(chunks).equals(body))
})

t.test('a request on a closed keep-alive connection is repeated', async (t) => {
  const { server, store } = await openStore(t)
  server.plan({ kind: 'refuse', method: 'PUT' })
  await store.put('pdfs/a', Buffer.from('one'), pdf)
  t.equal((await store.info('pdfs/a'))?.size, 3)
})

t.test('error responses release their connections', async (t) => {
  const { server, store } = await openStore(t)
  server.plan({ kind: 'unavailable', times: 30 })
  for (let at = 0; at < 30; at++) await t.rejects(store.check(), ObjectStoreUnavailable)
  await store.check()
  t.ok(server.connections() <= 2)
})

t.test('a stopped server is unavailable and is used again after its restart', async (t) => {
  const { server, store } = await openStore(t)
  await store.put('pdfs/a', Buffer.from('one'), pdf)
  await server.stop()
  const refused = unavailable(/^The object store cannot be (read|written to) \(ECONNREFUSED\)$/)
  await t.rejects(store.put('pdfs/a', Buffer.from('two'), pdf), refused)
  await t.rejects(store.get('pdfs/a'), refused)
  await t.rejects(store.info('pdfs/a'), refused)
  await t.rejects(store.delete('pdfs/a'), refused)
  await t.rejects(store.check(), refused)
  const opened = openS3(parseS3Url(server.url('platen'), server))
  await t.rejects(opened, unavailable(/^The object store cannot be opened \(ECONNREFUSED\)$/))
  await server.start()
  await store.check()
  t.equal((await store.info('pdfs/a'))?.size, 3)
})

t.test('a removed bucket or denied access is unavailability, not a missing object', async (t) => {
  const { server, store } = await openStore(t)
  await store.put('pdfs/a', Buffer.from('one'), pdf)
  server.denied.add('s3:GetObject')
  await t.rejects(store.get('pdfs/a'), unavailable(/\(AccessDenied\)$/))
  await t.rejects(store.info('pdfs/a'), unavailable(/\(AccessDenied\)$/))
  server.denied.clear()
  server.denied.add('s3:ListBucket')
  t.equal(await store.info('pdfs/none'), undefined, 'keys that may not list still see a missing object')
  server.denied.clear()
  server.buckets.remove('platen')
  await t.rejects(store.get('pdfs/a'), unavailable(/\(NoSuchBucket\)$/))
  await t.rejects(store.info('pdfs/a'), unavailable(/\(NotFound\)$/))
  await t.rejects(store.check(), unavailable(/\(NoSuchBucket\)$/))
})

t.test('a host that accepts connections and stays silent times out, with and without TLS', async (t) => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  for (const tls of [true, false]) {
    const location = parseS3Url(`s3://a:b@127.0.0.1:${port}/platen?tls=${tls}`)
    const idleMs = tls ? 60_000 : deadlines.idleMs
    const opened = openS3(location, { deadlines: { connectMs: deadlines.connectMs, idleMs } })
    await t.rejects(opened, unavailable(/^The object store cannot be opened \(TIMEOUT\)$/), `tls=${tls}`)
  }
})

t.test('a destroyed reader releases its connection', async (t) => {
  const { server, store } = await openStore(t)
  await store.put('pdfs/a', randomBytes(5_000_000), pdf)
  const close = (reader: Readable) => new Promise((resolve) => reader.destroy().once('close', resolve))
  for (let at = 0; at < 20; at++) await close(await store.get('pdfs/a'))
  await store.check()
  t.ok(server.connections() <= 3)
})
