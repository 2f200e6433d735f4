import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import type { EgressPolicy } from './egress-policy.ts'
import { fetchPage } from './fetch-page.ts'
import { headersOf } from './request-extras.ts'

const limits = { resources: 100, resourceBytes: 1_000, resourceTimeoutMs: 60_000 }

async function listen(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const fetched = (url: string, policy: EgressPolicy = 'any', refused_statuses = [{ from: 400, to: 599 }]) =>
  fetchPage(
    { url, refused_statuses },
    { policy, limits, headersFor: headersOf({}), signal: new AbortController().signal },
  )

const refusedFor = (page: Promise<unknown>) =>
  page.then(
    () => 'shown',
    (err) => err.details?.refused,
  )

t.test('a page is read in its encoding, at the address that redirects lead to', async (t) => {
  const url = await listen(t, ({ url }, response) => {
    if (url === '/old') return void response.writeHead(302, { location: '/new?a' }).end()
    response.writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' }).end(Buffer.from('ä', 'latin1'))
  })
  const page = await fetched(`${url}/old#part`)
  t.same([page.html, page.url.href], ['ä', `${url}/new?a#part`])
})

t.test('what cannot be shown says why', async (t) => {
  const url = await listen(t, ({ url }, response) => {
    if (url === '/zip') return void response.writeHead(200, { 'content-type': 'application/zip' }).end('PK')
    if (url === '/long') return void response.writeHead(200, { 'content-type': 'text/html' }).end('x'.repeat(2_000))
    if (url === '/away') return void response.writeHead(302, { location: 'file:///etc/passwd' }).end('moved')
    response.writeHead(404).end()
  })
  t.equal(await refusedFor(fetched(`${url}/none`)), 'page_status')
  t.equal(await refusedFor(fetched(`${url}/none`, 'any', [])), 'shown')
  t.equal(await refusedFor(fetched(`${url}/zip`)), 'page_unreachable')
  t.equal(await refusedFor(fetched(`${url}/long`)), 'page_unreachable')
  t.equal(await refusedFor(fetched('file:///etc/passwd')), 'page_unreachable')
  t.match(await fetched(`${url}/away`), { html: 'moved' }, 'a redirect to another scheme is not followed')
})

t.test('private addresses are refused unless the policy allows them, also as a number', async (t) => {
  for (const url of ['http://127.0.0.1/', 'http://[::1]/', 'http://2130706433/', 'http://localhost/']) {
    t.equal(await refusedFor(fetched(url, 'public')), 'page_forbidden', url)
  }
  t.equal(await refusedFor(fetched('http://93.184.215.14/', 'none')), 'page_forbidden')
})

t.test('unknown hosts are refused as private ones are, unless private ones are allowed', async (t) => {
  const resolve = async () => {
    throw new Error('ENOTFOUND')
  }
  for (const [policy, refused] of [
    ['public', 'page_forbidden'],
    ['any', 'page_unreachable'],
  ] as const) {
    const fetching = { policy, limits, headersFor: headersOf({}), signal: new AbortController().signal, resolve }
    t.equal(await refusedFor(fetchPage({ url: 'http://nowhere.example/' }, fetching)), refused)
  }
})

t.test('a page is asked for without an encoding, and one that has one is refused', async (t) => {
  const seen: unknown[] = []
  const url = await listen(t, ({ headers }, response) => {
    seen.push(headers['accept-encoding'])
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end('x')
  })
  const headersFor = headersOf({ headers: [{ name: 'Accept-Encoding', value: 'gzip' }] })
  const fetching = { policy: 'any' as const, limits, headersFor, signal: new AbortController().signal }
  t.equal(await refusedFor(fetchPage({ url }, fetching)), 'page_unreachable')
  t.same(seen, ['identity'])
})
