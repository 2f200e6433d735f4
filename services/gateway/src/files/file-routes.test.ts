import { randomUUID } from 'node:crypto'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { recordErasure } from '@platen/domain/generation/erase-content.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import { signingFrom } from '@platen/service-kit/signing/signing.ts'
import { startFakeS3 } from '@platen/test-support/fake-s3/start-fake-s3.ts'
import { fakePdf } from '@platen/test-support/gateway/fake-renderer.ts'
import { callGateway, eventually, startTestGateway, testConfig } from '@platen/test-support/gateway/test-gateway.ts'
import { until } from '@platen/test-support/until.ts'
import fastify from 'fastify'
import t from 'tap'
import { startGateway } from '../start.ts'

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { call, services } = gateway
const { body: generated } = await call('POST', '/v1/generate', { body: { html: 'x' } })
const { id, url } = generated
const get = (headers: Record<string, string> = {}, fileUrl = url, method = 'GET') =>
  call(method, fileUrl, { key: null, headers })

t.test('a signed URL serves the file without a key', async (t) => {
  const { status, bytes, headers } = await get()
  t.equal(status, 200)
  t.same(bytes, fakePdf)
  t.equal(headers.get('content-type'), 'application/pdf')
  t.equal(headers.get('content-length'), String(fakePdf.length))
  t.equal(headers.get('content-disposition'), `inline; filename="${id}.pdf"`)
  t.match(headers.get('cache-control'), /^private, max-age=\d+$/)
  t.match(headers.get('etag'), /^"[0-9a-f]{64}"$/)
  t.match(headers.get('x-request-id'), /^req_/)
  t.equal((await get({ 'if-none-match': headers.get('etag') ?? '' })).status, 304)
  t.match((await get({}, `${url}&download=1`)).headers.get('content-disposition'), /^attachment/)
})

t.test('any API key of the owner that reads generations gets the file by its id', async (t) => {
  const path = `/v1/generations/${id}/file`
  const key = await gateway.issueKey('generations:read')
  const { status, bytes, headers } = await call('GET', path, { key })
  t.equal(status, 200)
  t.same(bytes, fakePdf)
  t.equal(headers.get('content-disposition'), `inline; filename="${id}.pdf"`)
  t.equal(headers.get('cache-control'), 'private, no-cache')
  const conditional = { 'if-none-match': headers.get('etag') ?? '' }
  t.equal((await call('GET', path, { key, headers: conditional })).status, 304)
  t.match(await call('GET', path, { headers: { range: 'bytes=0-3' } }), { status: 206, bytes: fakePdf.subarray(0, 4) })
  t.match((await call('GET', `${path}?download=1`)).headers.get('content-disposition'), /^attachment/)
  t.equal((await call('HEAD', path)).headers.get('content-length'), String(fakePdf.length))
  t.equal((await call('GET', path, { key: await gateway.issueKey('generate') })).status, 403)
  gateway.renderer.behaviour = { code: 'RENDER_FAILED', message: 'no' }
  const failed = await call('POST', '/v1/generate', { body: { html: 'x' } })
  gateway.renderer.behaviour = 'complete'
  t.match(await call('GET', `/v1/generations/${failed.headers.get('x-generation-id')}/file`), {
    status: 409,
    body: { error: { code: 'CONFLICT', message: 'The generation is failed and has no file' } },
  })
})

t.test('a file has the name of its request, also in the object store', async (t) => {
  const { body } = await call('POST', '/v1/generate', { body: { html: 'x', file_name: 'q"1".PDF' } })
  t.equal((await get({}, body.url)).headers.get('content-disposition'), 'inline; filename="q\\"1\\".PDF"')
  const download = await call('GET', `/v1/generations/${body.id}/file?download=1`)
  t.equal(download.headers.get('content-disposition'), 'attachment; filename="q\\"1\\".PDF"')
})

t.test('HEAD sends the headers of GET and no body', async (t) => {
  const { status, bytes, headers } = await get({}, url, 'HEAD')
  t.equal(status, 200)
  t.equal(bytes.length, 0)
  t.equal(headers.get('content-length'), String(fakePdf.length))
  t.equal(headers.get('content-type'), 'application/pdf')
})

t.test('single byte ranges answer 206, other ranges the whole file', async (t) => {
  const size = fakePdf.length
  const ranges: [string, number, number][] = [
    ['bytes=0-4', 0, 4],
    ['bytes=5-', 5, size - 1],
    ['bytes=-6', size - 6, size - 1],
    ['bytes=-1000', 0, size - 1],
    ['bytes=3-1000', 3, size - 1],
  ]
  for (const [range, start, end] of ranges) {
    const { status, bytes, headers } = await get({ range })
    t.equal(status, 206, range)
    t.same(bytes, fakePdf.subarray(start, end + 1), range)
    t.equal(headers.get('content-range'), `bytes ${start}-${end}/${size}`, range)
  }
  for (const range of ['bytes=1000-', 'bytes=-0']) {
    const { status, headers, body } = await get({ range })
    t.equal(status, 416, range)
    t.equal(headers.get('content-range'), `bytes */${size}`)
    t.match(body, { error: { code: 'RANGE_NOT_SATISFIABLE', message: `${size} bytes` }, request_id: String })
    t.equal(headers.get('etag'), null)
  }
  for (const range of ['bytes=0-1,3-4', 'lines=1-2', 'bytes=5-2', 'bytes=x', 'bytes=-'])
    t.equal((await get({ range })).status, 200, range)
  t.equal((await get({ range: 'bytes=0-4', 'if-range': '"another"' })).status, 200)
  const { headers } = await get()
  t.equal((await get({ range: 'bytes=0-4', 'if-range': headers.get('etag') ?? '' })).status, 206)
})

t.test('HEAD ignores ranges, and conditions compare tags and dates (RFC 9110)', async (t) => {
  const { headers } = await get()
  const [tag, date] = [headers.get('etag') ?? '', headers.get('last-modified') ?? '']
  t.ok(Math.abs(Date.parse(date) - Date.now()) < 3_600_000, date)
  const head = await get({ range: 'bytes=0-4' }, url, 'HEAD')
  t.equal(head.status, 200)
  t.equal(head.headers.get('content-range'), null)
  t.equal(head.headers.get('content-length'), String(fakePdf.length))
  const [earlier, later] = ['Sat, 01 Jan 2000 00:00:00 GMT', new Date(Date.now() + 3_600_000).toUTCString()]
  const cases: [headers: Record<string, string>, status: number][] = [
    [{ 'if-match': tag }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': '"another"' }, 412],
    [{ 'if-match': `W/${tag}` }, 412],
    [{ 'if-unmodified-since': earlier }, 412],
    [{ 'if-unmodified-since': date }, 200],
    [{ 'if-unmodified-since': earlier, 'if-match': tag }, 200],
    [{ 'if-modified-since': date }, 304],
    [{ 'if-modified-since': earlier }, 200],
    [{ 'if-modified-since': later, 'if-none-match': '"another"' }, 200],
    [{ 'if-modified-since': 'yesterday' }, 200],
    [{ range: 'bytes=0-4', 'if-range': date }, 206],
    [{ range: 'bytes=0-4', 'if-range': earlier }, 200],
  ]
  for (const [conditions, status] of cases) t.equal((await get(conditions)).status, status, JSON.stringify(conditions))
  const refused = await get({ 'if-match': '"another"' })
  t.match(refused.body, { error: { code: 'PRECONDITION_FAILED' }, request_id: String })
})

t.test('a URL with an invalid signature answers 403', async (t) => {
  const path = `/v1/files/${id}.pdf`
  const { searchParams } = new URL(url)
  const expires = searchParams.get('expires')
  const signature = searchParams.get('signature')
  for (const invalid of [
    path,
    `${path}?expires=${expires}`,
    `${path}?expires=${expires}&signature=`,
    `${path}?expires=${expires}&signature=x${signature}`,
    `${path}?expires=${Number(expires) + 1}&signature=${signature}`,
    `${path}?expires=x&signature=${signature}`,
    `${path}?expires=1&expires=2&signature=${signature}`,
    `/v1/files/pdf_00000000000000000000000000.pdf?expires=${expires}&signature=${signature}`,
    `/v1/files/..%2f..%2fevents.db?expires=${expires}&signature=${signature}`,
  ]) {
    const answer = await get({}, invalid)
    t.match(answer.body?.error?.code, /INVALID_SIGNATURE|VALIDATION_ERROR/, invalid)
  }
  t.match(await get({}, path), { status: 403, body: { error: { code: 'INVALID_SIGNATURE' } } })
})

t.test('expired URLs and deleted files answer 410', async (t) => {
  const signing = signingFrom(testConfig.signingSecret)
  const signed = (id: string, expires: number) =>
    `/v1/files/${id}.pdf?expires=${expires}&signature=${signing.fileSignature(id, expires)}`
  const now = Math.floor(Date.now() / 1_000)
  t.match(await get({}, signed(id, now - 1)), { status: 410, body: { error: { code: 'FILE_URL_EXPIRED' } } })
  t.match(await get({}, signed('pdf_00000000000000000000000000', now + 60)), {
    status: 404,
    body: { error: { code: 'GENERATION_NOT_FOUND' } },
  })
  await services.objects.delete(objectKeys.pdf(id, 'fake'))
  t.match(await get(), { status: 410, body: { error: { code: 'FILE_DELETED' } } })
  t.equal((await get()).headers.get('etag'), null)
})

t.test('a file that was erased answers 410 with another code than one that has expired', async (t) => {
  const { body } = await call('POST', '/v1/generate', { body: { html: 'x' } })
  const { pathname, search } = new URL(body.url)
  const file = () => callGateway(gateway.url, 'GET', pathname + search, { key: null })
  t.equal((await file()).status, 200)
  const erased_at = '2026-03-01T09:00:00.000Z'
  const what = { erased_by: 'ann@ops', erased_at, objects: 1, dead_letters: 0 }
  await services.objects.delete(objectKeys.pdf(body.id, 'fake'))
  await recordErasure(services.store, body.id, what)
  const erased = { status: 410, body: { error: { code: 'GENERATION_ERASED', details: { erased_at } } } }
  await until(async () => ((await file()).body.error.code === 'GENERATION_ERASED' ? true : undefined), 'not shown')
  t.match(await file(), erased)
  t.match(await call('GET', `/v1/generations/${body.id}/file`), erased)
  t.match(await call('GET', `/v1/generations/${body.id}`), { status: 200, body: { status: 'completed', erased_at } })
  t.notMatch(JSON.stringify(await call('GET', `/v1/generations/${body.id}`)), 'ann@ops')
})

t.test('a file is gone at the end of its retention, also while the store still has it', async (t) => {
  const days = (pdfDays: number) => ({ ...services, retention: { inputDays: 7, pdfDays } })
  const { body } = await call('POST', '/v1/generate', { body: { html: 'x' } })
  const path = join(gateway.dataDir, 'objects', objectKeys.pdf(body.id, 'fake'))
  const dayAgo = Date.now() / 1_000 - 25 * 3_600
  await utimes(path, dayAgo, dayAgo)
  for (const [pdfDays, status] of [
    [0, 200],
    [2, 200],
    [1, 410],
  ] as const) {
    await using other = await startGateway(
      { ...testConfig, dataDir: join(gateway.dataDir, randomUUID()) },
      days(pdfDays),
    )
    const { pathname, search } = new URL(body.url)
    const answer = await callGateway(other.url, 'GET', pathname + search, { key: null })
    t.equal(answer.status, status, `${pdfDays} days`)
    if (status === 410) t.match(answer.body, { error: { code: 'FILE_DELETED' } })
  }
})

t.test('with a public URL of the store, only the bytes come from there', async (t) => {
  await using s3 = await startFakeS3()
  const { accessKey, secretKey } = s3
  const publicUrl = `http://localhost:${s3.port}`
  const objects = await openObjectStore(s3.url('platen'), { accessKey, secretKey, publicUrl })
  t.teardown(() => objects.close())
  const key = objectKeys.pdf(id, 'fake')
  await objects.put(key, fakePdf, 'application/pdf')
  const folder = join(gateway.dataDir, randomUUID())
  await using other = await startGateway({ ...testConfig, dataDir: folder }, { ...services, objects })
  const { pathname, search } = new URL(url)
  const ask = (method = 'GET', more = '', headers: Record<string, string> = {}) =>
    callGateway(other.url, method, pathname + search + more, { key: null, headers })

  const { status, headers } = await ask()
  t.equal(status, 302)
  t.equal(headers.get('etag'), null)
  t.same(Buffer.from(await (await fetch(headers.get('location') ?? '')).arrayBuffer()), fakePdf)
  const download = await ask('GET', '&download=1')
  const attached = await fetch(download.headers.get('location') ?? '')
  t.equal(attached.headers.get('content-disposition'), `attachment; filename="${id}.pdf"`)
  const head = await ask('HEAD')
  t.match([head.status, head.headers.get('content-length')], [200, String(fakePdf.length)])
  t.equal((await ask('GET', '', { 'if-none-match': head.headers.get('etag') ?? '' })).status, 304)
  const path = `/v1/generations/${id}/file`
  t.equal((await callGateway(other.url, 'GET', path)).status, 302)
  const session = (await callGateway(other.url, 'POST', '/v1/session')).headers.get('set-cookie')?.split(';')[0] ?? ''
  const shown = { key: null, headers: { cookie: session, 'sec-fetch-site': 'same-origin' } }
  const page = await callGateway(other.url, 'GET', path, shown)
  t.match([page.status, page.bytes.equals(fakePdf)], [200, true], 'a page of the studio may not read from there')
  await objects.delete(key)
  for (const method of ['GET', 'HEAD']) t.equal((await ask(method)).status, 410, method)
})

t.test('a download that the object store breaks off is logged, and a printed PDF keeps its id', async (t) => {
  await using s3 = await startFakeS3()
  const { accessKey, secretKey } = s3
  const objects = await openObjectStore(s3.url('platen'), { accessKey, secretKey })
  t.teardown(() => objects.close())
  const key = objectKeys.pdf(id, 'fake')
  await objects.put(key, Buffer.alloc(5_000_000), 'application/pdf')
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const log = fastify({ logger: { stream } }).log as Logger
  const logged = (isWanted: (line: Record<string, unknown>) => boolean) =>
    eventually(async () => {
      const line = lines.find(isWanted)
      if (!line) throw new Error(JSON.stringify(lines))
      return line
    })
  const folder = join(gateway.dataDir, randomUUID())
  await using other = await startGateway({ ...testConfig, dataDir: folder }, { ...services, objects, log })
  const { pathname, search } = new URL(url)

  s3.plan({ kind: 'reset', method: 'GET', of: key })
  s3.plan({ kind: 'unavailable', method: 'GET', of: key, times: 99 })
  const response = await fetch(new URL(pathname + search, other.url))
  await t.rejects(response.arrayBuffer(), 'not a short file')
  const request_id = response.headers.get('x-request-id')
  const line = await logged(({ sent }) => sent !== undefined)
  t.match(line, { level: 40, request_id, key, size: 5_000_000, err: { message: /SlowDown/ } })
  t.ok(Number(line.sent) > 0 && Number(line.sent) < 5_000_000, String(line.sent))
  t.match(await logged(({ aborted }) => aborted === true), { request_id, status: 200 })
  t.equal(lines.filter(({ level }) => level === 40).length, 1, 'one warning')
  s3.heal()

  const { status, body } = await callGateway(other.url, 'POST', '/v1/generate', {
    body: { html: 'x' },
    headers: { accept: 'application/pdf', 'idempotency-key': randomUUID() },
  })
  // The fake renderer stores its files elsewhere.
  t.equal(status, 410)
  t.match(body.error, { details: { generation_id: /^pdf_/, poll_url: /\/v1\/generations\/pdf_/ } })
  s3.plan({ kind: 'unavailable', times: 99 })
  const unavailable = await callGateway(other.url, 'POST', '/v1/generate', {
    body: { html: 'x' },
    headers: { accept: 'application/pdf' },
  })
  t.equal(unavailable.status, 503)
  const { details } = unavailable.body.error
  t.match(unavailable.body.error, { code: 'STORAGE_UNAVAILABLE', details: { generation_id: /^pdf_/ } })
  s3.heal()
  const polled = await callGateway(other.url, 'GET', new URL(details.poll_url).pathname)
  t.match(polled.body, { status: 'completed', id: details.generation_id })
})
