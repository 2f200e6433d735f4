import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { Platen } from './client.ts'
import { unwrap } from './platen-error.ts'

const merged = { id: 'pdf_1', status: 'completed', created_at: '2026-01-31T12:00:00.000Z', operation: 'merge' }
const png = Buffer.from('89504e470d0a1a0a', 'hex')
const seen: (string | undefined)[] = []
const server = createServer((request, response) => {
  const { url, headers } = request
  if (url?.includes('/v1/pdf/')) {
    seen.push(String(headers['idempotency-key']))
    if (seen.length === 1) return response.writeHead(503, { 'retry-after': '0' }).end()
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(merged))
  }
  const type = url?.endsWith('/file') ? 'text/html' : 'image/png'
  return response.writeHead(200, { 'content-type': type, 'content-length': png.length }).end(png)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
t.teardown(() => server.close())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const platen = new Platen({ url, key: 'pk_1' })

t.test('a picture is downloaded as it is', async (t) => {
  t.same(await (await platen.file(`${url}/v1/files/pdf_1.png`)).bytes(), new Uint8Array(png))
  await t.rejects(platen.file('pdf_1'), { code: 'UNEXPECTED_RESPONSE' }, 'a page of a proxy is not')
})

t.test('an operation on PDFs is repeated with one key, and answers the generation', async (t) => {
  const body = { sources: [{ generation: 'pdf_2' }] }
  const params = { header: { 'idempotency-key': 'merge-1' } }
  t.match(await unwrap(platen.api.POST('/v1/pdf/merge', { body, params })), { operation: 'merge' })
  t.strictSame(seen, ['merge-1', 'merge-1'])
})
