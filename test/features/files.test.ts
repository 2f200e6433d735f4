import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signingFrom } from '@platen/service-kit/signing/signing.ts'
import t from 'tap'
import { generate } from '../support/print.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'

const platen = await ownerOfSharedPlaten()

const { generation, pdf } = await generate(platen, { html: '<p>A file' })
const fileUrl = new URL(generation.url)
const changed = (change: (url: URL) => void) => {
  const url = new URL(fileUrl)
  change(url)
  return fetch(url)
}

t.test('a file URL begins with PUBLIC_URL and needs no API key', async (t) => {
  t.equal(fileUrl.origin, platen.url)
  t.equal(fileUrl.pathname, `/v1/files/${generation.id}.pdf`)
  const response = await fetch(fileUrl)
  t.equal(response.status, 200)
  t.equal(response.headers.get('content-type'), 'application/pdf')
  t.equal(response.headers.get('content-length'), String(generation.size))
  t.match(response.headers.get('content-disposition'), generation.id)
  t.match(response.headers.get('x-request-id'), /^req_/)
  t.same(await response.bytes(), pdf)
})

t.test('a file URL expires after FILE_URL_TTL_S', async (t) => {
  const expires = Number(fileUrl.searchParams.get('expires'))
  const now = Date.now() / 1_000
  t.ok(expires > now && expires <= now + 61, 'it expires within a minute')
})

t.test('a changed file URL is refused', async (t) => {
  const tampered: [what: string, change: (url: URL) => void][] = [
    ['a later expiry', ({ searchParams }) => searchParams.set('expires', String(2 ** 40))],
    ['an expiry that is not a number', ({ searchParams }) => searchParams.set('expires', 'never')],
    ['no expiry', ({ searchParams }) => searchParams.delete('expires')],
    ['no signature', ({ searchParams }) => searchParams.delete('signature')],
    ['an empty signature', ({ searchParams }) => searchParams.set('signature', '')],
    ['another signature', ({ searchParams }) => searchParams.set('signature', 'x'.repeat(43))],
    ['two signatures', ({ searchParams }) => searchParams.append('signature', 'x')],
    ['another file', (url) => (url.pathname = '/v1/files/pdf_00000000000000000000000000.pdf')],
  ]
  for (const [what, change] of tampered) {
    const response = await changed(change)
    const { error } = (await response.json()) as { error: { code: string } }
    t.match([response.status, error.code].join(' '), /^(403 INVALID_SIGNATURE|400 VALIDATION_ERROR)$/, what)
    t.match(response.headers.get('content-type'), /^application\/json/, what)
  }
  const upwards = await fetch(`${platen.url}/v1/files/..%2F..%2Fsigning-secret${fileUrl.search}`)
  t.equal(upwards.status, 403)
})

t.test('an expired file URL answers 410', async (t) => {
  const secret = await readFile(join(platen.dataDir, 'signing-secret'), 'utf8')
  const expires = Math.floor(Date.now() / 1_000) - 1
  const response = await changed(({ searchParams }) => {
    searchParams.set('expires', String(expires))
    searchParams.set('signature', signingFrom(secret.trim()).fileSignature(generation.id, expires))
  })
  t.equal(response.status, 410)
  t.match(await response.json(), { error: { code: 'FILE_URL_EXPIRED' } })
})

t.test('a poll answers a valid file URL', async (t) => {
  const { body } = await platen.json<typeof generation>(`/v1/generations/${generation.id}`)
  t.equal((await fetch(body.url)).status, 200)
})

t.test('a Range request answers that range of the file', async (t) => {
  const size = pdf.byteLength
  const ranges: [range: string, from: number, to: number][] = [
    ['bytes=0-4', 0, 4],
    ['bytes=10-', 10, size - 1],
    ['bytes=-6', size - 6, size - 1],
    [`bytes=5-${size + 1_000}`, 5, size - 1],
  ]
  for (const [range, from, to] of ranges) {
    const response = await fetch(fileUrl, { headers: { range } })
    t.equal(response.status, 206, range)
    t.equal(response.headers.get('content-range'), `bytes ${from}-${to}/${size}`)
    t.equal(response.headers.get('content-length'), String(to - from + 1))
    t.same(await response.bytes(), pdf.slice(from, to + 1), range)
  }
  const beyond = await fetch(fileUrl, { headers: { range: `bytes=${size}-` } })
  t.equal(beyond.status, 416)
  t.equal(beyond.headers.get('content-range'), `bytes */${size}`)
  for (const range of ['bytes=x-y', 'lines=1-2', 'bytes=4-2']) {
    const response = await fetch(fileUrl, { headers: { range } })
    t.equal(response.status, 200, range)
    t.same((await response.bytes()).byteLength, size)
  }
})

t.test('HEAD answers the headers of the file without a body', async (t) => {
  const response = await fetch(fileUrl, { method: 'HEAD' })
  t.equal(response.status, 200)
  t.equal(response.headers.get('content-length'), String(generation.size))
  t.equal(response.headers.get('content-type'), 'application/pdf')
  t.equal(response.headers.get('accept-ranges'), 'bytes')
  t.equal((await response.bytes()).byteLength, 0)
  const url = new URL(fileUrl)
  url.searchParams.set('signature', 'x')
  t.equal((await fetch(url, { method: 'HEAD' })).status, 403)
})

t.test('a request with a matching If-None-Match answers 304', async (t) => {
  const etag = (await fetch(fileUrl, { method: 'HEAD' })).headers.get('etag') ?? ''
  t.match(etag, /^".+"$/)
  t.equal((await fetch(fileUrl, { headers: { 'if-none-match': etag } })).status, 304)
  t.equal((await fetch(fileUrl, { headers: { 'if-none-match': '"other"' } })).status, 200)
})
