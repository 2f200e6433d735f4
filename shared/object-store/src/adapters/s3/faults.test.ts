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
const patient = { connectMs: 30_000, idleMs: 30_000 }
/** For a server that hangs. The other calls of such a test are answered within that time on a busy machine, too. */
const hasty = { connectMs: 3_000, idleMs: 1_500 }

async function openStore(t: Test, deadlines = patient): Promise<{ server: FakeS3; store: ObjectStore }> {
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
  const { server, store } = await openStore(t, hasty)
  const faults: [FaultKind, RegExp][] = [
    ['unavailable', /^The object store cannot be written to \(SlowDown: Please reduce your request rate\)$/],
    ['full', /\(XMinioStorageFull: Storage backend has reached it's minimum free drive threshold\)$/],
    ['text', /\(HTTP 400: the server uses TLS: remove tls=false from OBJECT_STORE_URL\)$/],
    ['refuse', /\(ECONNRESET\)$/],
    ['reset', /\(ECONNRESET\)$/],
    ['cut', /\((ECONNRESET|EPIPE)\)$/],
    ['hang', /\(TIMEOUT\)$/],
    ['stall', /\(TIMEOUT\)$/],
  ]
  for (const [kind, message] of faults) {
    await store.put('pdfs/a', Buffer.from(kind), pdf)
    server.plan({ kind, method: 'PUT', times: 9 })
    await t.rejects(store.put('pdfs/a', randomBytes(3_000_000), pdf), unavailable(message), kind)
    server.heal()
    t.equal((await buffer(await store.get('pdfs/a'))).toString(), kind)
  }
})

t.test('one failure of a second is not seen by the caller', async (t) => {
  const { server, store } = await openStore(t)
  for (const kind of ['unavailable', 'refuse', 'reset', 'cut'] as const) {
    await store.put('pdfs/a', Buffer.from('old'), pdf)
    server.plan({ kind, times: 2, method: 'PUT' })
    await store.put('pdfs/a', Buffer.from(kind), pdf)
    for (const method of ['HEAD', 'GET'] as const) server.plan({ kind, times: 2, method })
    if (kind === 'unavailable' || kind === 'refuse') t.equal((await store.info('pdfs/a'))?.size, kind.length)
    server.heal()
    server.plan({ kind, times: 2, method: 'GET' })
    t.equal((await buffer(await store.get('pdfs/a'))).toString(), kind)
    server.heal()
  }
  server.plan({ kind: 'unavailable', times: 2, method: 'DELETE' })
  await store.delete('pdfs/a')
  t.equal(await store.info('pdfs/a'), undefined)
})

t.test('a get that breaks off is resumed, and fails if that does not help', async (t) => {
  const { server, store } = await openStore(t, hasty)
  const body = randomBytes(2_000_000)
  await store.put('pdfs/a', body, pdf)
  for (const kind of ['reset', 'cut', 'stall'] as const) {
    server.plan({ kind, method: 'GET', times: kind === 'stall' ? 1 : 3 })
    t.ok((await buffer(await store.get('pdfs/a'))).equals(body), kind)
    server.heal()
    server.plan({ kind, method: 'GET' })
    const range = { start: 10, end: 1_500_000 }
    t.ok((await buffer(await store.get('pdfs/a', range))).equals(body.subarray(10, 1_500_001)), `${kind} of a range`)
    server.heal()
  }
  server.plan({ kind: 'reset', method: 'GET' })
  server.plan({ kind: 'hang', method: 'GET', times: 99 })
  const reader = await store.get('pdfs/a')
  let received = 0
  reader.on('data', (chunk: Buffer) => {
    received += chunk.length
  })
  await t.rejects(once(reader, 'end'), unavailable(/^The object store cannot be read to the end \(TIMEOUT\)$/))
  t.ok(received > 0 && received < body.length)
})

t.test('the rest of a replaced object is not taken for that of the old one', async (t) => {
  const { server, store } = await openStore(t, hasty)
  await store.put('pdfs/a', randomBytes(2_000_000), pdf)
  server.plan({ kind: 'stall', method: 'GET' })
  const reader = await store.get('pdfs/a')
  await store.put('pdfs/a', randomBytes(2_000_000), pdf)
  await t.rejects(buffer(reader), unavailable(/read to the end \(PreconditionFailed/))
})

t.test('a reader that pauses until the store hangs up gets the rest', async (t) => {
  const { server, store } = await openStore(t)
  const body = randomBytes(5_000_000)
  await store.put('pdfs/a', body, pdf)
  const chunks: Buffer[] = []
  for await (const chunk of await store.get('pdfs/a')) {
    chunks.push(chunk)
    if (chunks.length !== 2) continue
    await server.stop()
    await server.start()
  }
  t.ok(Buffer.concat(chunks).equals(body))
})

t.test('a damaged object is unavailable, and the store is not', async (t) => {
  const { server, store } = await openStore(t)
  await store.put('inputs/a', Buffer.from('x'), pdf)
  server.damaged.add('inputs/a')
  await t.rejects(store.get('inputs/a'), unavailable(/SlowDownRead/))
  await store.check()
})

t.test('the check reads, and writes seldom', async (t) => {
  const { server, store } = await openStore(t)
  const writes = () => server.requests.filter((request) => request.startsWith('PUT')).length
  const before = writes()
  for (let at = 0; at < 20; at++) await store.check()
  t.equal(writes(), before)
  server.plan({ kind: 'full', method: 'PUT', times: 9 })
  await t.rejects(store.put('pdfs/a', Buffer.from('x'), pdf), unavailable(/XMinioStorageFull/))
  server.heal()
  await t.rejects(store.check(), unavailable(/XMinioStorageFull/), 'a probe would still fit')
  await store.put('pdfs/a', Buffer.from('x'), pdf)
  await store.check()
  server.denied.add('s3:PutObject')
  await t.rejects(store.put('pdfs/a', Buffer.from('x'), pdf), unavailable(/AccessDenied/))
  await t.rejects(store.check(), unavailable(/AccessDenied/), 'after a failed write it writes')
  server.denied.clear()
  await store.check()
  server.denied.add('s3:GetObject')
  await t.rejects(store.check(), unavailable(/AccessDenied/), 'keys that may no longer read')
})

t.test('a get without an answer throws', async (t) => {
  const { server, store } = await openStore(t, hasty)
  await store.put('pdfs/a', Buffer.from('one'), pdf)
  for (const kind of ['unavailable', 'refuse', 'hang', 'html'] as const) {
    server.plan({ kind, times: 9 })
    await t.rejects(store.get('pdfs/a'), ObjectStoreUnavailable, kind)
    server.heal()
    server.plan({ kind, times: 9 })
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
  const { store } = await openStore(t, hasty)
  const body = randomBytes(5_000_000)
  await store.put('pdfs/a', body, pdf)
  const reader = await store.get('pdfs/a')
  const chunks: Buffer[] = []
  for await (const chunk of reader) {
    if (chunks.length === 0) await new Promise((resolve) => setTimeout(resolve, 3 * hasty.idleMs))
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
  server.plan({ kind: 'unavailable', times: 8 })
  for (let at = 0; at < 2; at++) await t.rejects(store.check(), ObjectStoreUnavailable)
  await store.check()
  t.ok(server.connections() <= 2)
})

t.test('a stopped server is unavailable and is used again after its restart', async (t) => {
  const { server, store } = await openStore(t)
  await store.put('pdfs/a', Buffer.from('one'), pdf)
  await server.stop()
  const refused = unavailable(/^The object store cannot be (read|written to|used) \(ECONNREFUSED\)$/)
  await t.rejects(store.put('pdfs/a', Buffer.from('two'), pdf), refused)
  await t.rejects(store.get('pdfs/a'), refused)
  await t.rejects(store.info('pdfs/a'), refused)
  await t.rejects(store.delete('pdfs/a'), refused)
  await t.rejects(store.check(), refused)
  const opened = openS3(parseS3Url(server.url('platen'), server))
  await t.rejects(
    opened,
    unavailable(/^OBJECT_STORE_URL: no object store answers at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)$/),
  )
  await server.start()
  await store.check()
  t.equal((await store.info('pdfs/a'))?.size, 3)
})

t.test('a removed bucket or denied access is unavailability, not a missing object', async (t) => {
  const { server, store } = await openStore(t)
  await store.put('pdfs/a', Buffer.from('one'), pdf)
  server.denied.add('s3:GetObject')
  await t.rejects(store.get('pdfs/a'), unavailable(/\(AccessDenied/))
  await t.rejects(store.info('pdfs/a'), unavailable(/\(AccessDenied/))
  server.denied.clear()
  server.denied.add('s3:ListBucket')
  t.equal(await store.info('pdfs/none'), undefined, 'keys that may not list still see a missing object')
  server.denied.clear()
  server.buckets.remove('platen')
  await t.rejects(store.get('pdfs/a'), unavailable(/\(NoSuchBucket/))
  await t.rejects(store.info('pdfs/a'), unavailable(/\(NoSuchBucket/))
  await t.rejects(store.check(), unavailable(/\(NoSuchBucket/))
  server.buckets.make('platen')
  await store.check()
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
    const idleMs = tls ? 60_000 : hasty.idleMs
    const opened = openS3(location, { deadlines: { connectMs: hasty.connectMs, idleMs } })
    const inTime = /^OBJECT_STORE_URL: no object store answers at 127\.0\.0\.1:\d+ in time \(TIMEOUT\)$/
    await t.rejects(opened, unavailable(inTime), `tls=${tls}`)
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
