import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { downloadFiles } from './download-files.ts'

async function listen(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  t.teardown(() => server.closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Given {
  headers?: Record<string, string>
  allowPrivate?: boolean
  disconnected?: AbortSignal
}

const download = (
  url: string,
  { headers = {}, allowPrivate = true, disconnected = new AbortController().signal }: Given = {},
) =>
  downloadFiles(JSON.stringify([{ url, extraHttpHeaders: headers }]), {
    allowPrivate,
    disconnected,
    maxBytes: 1_000,
    timeoutMs: 5_000,
    headers: { 'gotenberg-trace': 'mine' },
  })

const attachment = { 'content-disposition': 'attachment; filename="a.txt"' }

t.test('headers of the client do not go to another origin that a redirect leads to', async (t) => {
  const seen: IncomingHttpHeaders[] = []
  const other = await listen(t, ({ headers }, response) => {
    seen.push(headers)
    response.writeHead(200, attachment).end('a')
  })
  const url = await listen(t, ({ headers, url }, response) => {
    seen.push(headers)
    response.writeHead(302, { location: url === '/first' ? '/second' : `${other}/third` }).end()
  })
  const [file] = await download(`${url}/first`, { headers: { Authorization: 'secret' } })
  t.match([file?.name, `${file?.bytes}`], ['a.txt', 'a'])
  const sent = { authorization: 'secret', 'gotenberg-trace': 'mine' }
  t.match(seen.slice(0, 2), [sent, sent])
  t.strictSame([seen[2]?.authorization, seen[2]?.['gotenberg-trace']], [undefined, undefined])
})

t.test('what webhooks refuse is refused', async (t) => {
  for (const name of ['Host', 'content-length', 'bad name']) {
    await t.rejects(download('http://127.0.0.1/', { headers: { [name]: '1' } }), {
      status: 400,
      message: /cannot be sent/,
    })
  }
  for (const url of ['http://a:b@127.0.0.1/', 'http://127.0.0.1:6379/', 'ftp://127.0.0.1/']) {
    await t.rejects(download(url), { status: 403, message: 'Forbidden' }, url)
  }
})

t.test('private and unknown hosts are refused alike', async (t) => {
  for (const url of ['http://127.0.0.1/', 'http://nowhere.invalid/']) {
    await t.rejects(download(url, { allowPrivate: false }), { status: 403, message: 'Forbidden' }, url)
  }
})

t.test('a download ends when the client is gone', async (t) => {
  const gone = new AbortController()
  const url = await listen(t, () => gone.abort(new Error('gone')))
  await t.rejects(download(url, { disconnected: gone.signal }), { message: 'gone' })
})

t.test('the limit of bytes holds for all downloads together', async (t) => {
  const url = await listen(t, (_, response) => response.writeHead(200, attachment).end('a'.repeat(600)))
  const options = { allowPrivate: true, disconnected: new AbortController().signal, timeoutMs: 60_000, headers: {} }
  const two = JSON.stringify([{ url }, { url }])
  t.equal((await downloadFiles(two, { ...options, maxBytes: 1_200 })).length, 2)
  await t.rejects(downloadFiles(two, { ...options, maxBytes: 1_199 }), {
    status: 413,
    message: /exceed the size limit/,
  })
})
