import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t, { type Test } from 'tap'
import { Platen } from './client.ts'
import { fileName } from './pdf-file.ts'

const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 251))
content.write('%PDF-1.7\n')
content.write('\n%%EOF\n', content.length - 7)

interface Behaviour {
  /** How many bytes each response sends before the connection breaks. After the last one, all. */
  breakAfter: number[]
  /** The entity tag of each response; the last one for all further responses. */
  tags?: string[]
  /** Sends the client to another path first. */
  redirects?: boolean
  /** Stays silent instead of breaking the connection. */
  silent?: boolean
}

async function serveFile(t: Test, { breakAfter, tags = ['"a"'], redirects = false, silent = false }: Behaviour) {
  const seen: IncomingMessage['headers'][] = []
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (redirects && request.url?.startsWith('/v1/')) {
      return response.writeHead(302, { location: '/store' }).end()
    }
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const limit = breakAfter[seen.length]
    const etag = tags[Math.min(seen.length, tags.length - 1)]
    seen.push(request.headers)
    const range = request.headers.range && { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` }
    const disposition = `inline; filename="x.pdf"; filename*=UTF-8''M%C3%A4rz.pdf`
    response.writeHead(range ? 206 : 200, {
      'content-type': 'application/pdf',
      'content-length': content.length - start,
      etag,
      ...range,
      'content-disposition': disposition,
    })
    if (limit === undefined) return response.end(content.subarray(start))
    return response.write(content.subarray(start, start + limit), () => {
      if (!silent) response.socket?.destroySoon()
    })
  }
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { seen, platen: new Platen({ url, key: 'pk_1', timeoutMs: 600_000, retries: 50 }), url }
}

t.test('a broken download continues where it broke', async (t) => {
  const { seen, platen } = await serveFile(t, { breakAfter: [100_000, 0, 150_000] })
  const file = await platen.file('pdf_1')
  t.match(file, { name: 'März.pdf', size: content.length })
  t.ok(content.equals(await file.bytes()))
  t.match(
    seen.map(({ range, 'if-match': tag, authorization }) => [range, tag, authorization]),
    [
      [undefined, undefined, 'Bearer pk_1'],
      ['bytes=100000-', '"a"', 'Bearer pk_1'],
      ['bytes=100000-', '"a"', 'Bearer pk_1'],
      ['bytes=250000-', '"a"', 'Bearer pk_1'],
    ],
  )
})

t.test('a silent connection is replaced', async (t) => {
  const { seen, platen } = await serveFile(t, { breakAfter: [100_000], silent: true })
  const file = await platen.file('pdf_1', { timeoutMs: 500 })
  t.ok(content.equals(await file.bytes()))
  t.equal(seen.at(-1)?.range, 'bytes=100000-')
})

t.test('the content can be read as a stream, and its rest be left out', async (t) => {
  const { platen } = await serveFile(t, { breakAfter: [50_000] })
  let received = 0
  for await (const part of (await platen.file('pdf_1')).stream) received += part.length
  t.equal(received, content.length)
  for await (const _ of (await platen.file('pdf_1')).stream) break
})

t.test('a download from an object store continues there', async (t) => {
  const { seen, platen } = await serveFile(t, { breakAfter: [100_000], redirects: true })
  t.ok(content.equals(await (await platen.file('pdf_1')).bytes()))
  t.match(seen[1], { range: 'bytes=100000-' })
  t.equal(seen[1]?.['if-match'], undefined, 'Platen does not know the entity tag of the store')
})

t.test('the rest of another file is refused', async (t) => {
  const { platen } = await serveFile(t, { breakAfter: [100_000], tags: ['"a"', '"b"'] })
  await t.rejects((await platen.file('pdf_1')).bytes(), { code: 'UNEXPECTED_RESPONSE' })
})

t.test('a signed URL needs no key and gets none', async (t) => {
  const { seen, platen, url } = await serveFile(t, { breakAfter: [] })
  t.ok(content.equals(await (await platen.file(`${url}/v1/files/pdf_1.pdf?signature=x`)).bytes()))
  t.ok(content.equals(await (await platen.file({ id: 'pdf_1', url: `${url}/v1/files/pdf_1.pdf` })).bytes()))
  t.same(
    seen.map(({ authorization }) => authorization),
    [undefined, undefined],
  )
})

t.test('an aborted download ends with the reason', async (t) => {
  const { platen } = await serveFile(t, { breakAfter: [100_000], silent: true })
  const controller = new AbortController()
  const file = await platen.file('pdf_1', { signal: controller.signal })
  const reason = new Error('no longer needed')
  const read = file.bytes().catch((err) => err)
  controller.abort(reason)
  t.equal(await read, reason)
})

t.test('a download is aborted also after its request was garbage-collected', async (t) => {
  setFlagsFromString('--expose-gc')
  const { platen } = await serveFile(t, { breakAfter: [100_000], silent: true })
  const controller = new AbortController()
  const file = await platen.file('pdf_1', { signal: controller.signal })
  const end = file.bytes().then(
    () => 'it is whole',
    (err) => err.message,
  )
  for (let turn = 0; turn < 10; turn++) {
    await delay(20)
    runInNewContext('gc()')
  }
  controller.abort(new Error('enough'))
  t.equal(await Promise.race([end, delay(5_000, 'nothing', { ref: false })]), 'enough')
})

t.test('the file has the name of Content-Disposition', async (t) => {
  const of = (value: string) => fileName(new Headers({ 'content-disposition': value }))
  t.equal(of(`inline; filename="a.pdf"; filename*=UTF-8''%E2%82%AC.pdf`), '€.pdf')
  t.equal(of('attachment; filename="a \\"b\\".pdf"'), 'a "b".pdf')
  t.equal(of('inline'), 'document.pdf')
})
