import { once } from 'node:events'
import { get, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'
import { type GotenbergAuth, setBearer } from './authorize.ts'

const apiKey = 'key-of-the-setting'
const own = `Bearer ${apiKey}`

/** The credentials of a request, as the API gets them. */
function bearer(given: Record<string, string>, host = '127.0.0.1:3000', auth: GotenbergAuth = 'none') {
  const headers: IncomingHttpHeaders = { host, ...given }
  setBearer({ headers, host }, { auth, apiKey, hosts: ['gotenberg.example.com'] })
  return headers.authorization
}
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

t.test('the API key is the password or the user name of Basic authentication', async (t) => {
  t.equal(bearer(basic(':0123456789abcdef')), 'Bearer 0123456789abcdef')
  t.equal(bearer(basic('0123456789abcdef:')), 'Bearer 0123456789abcdef')
})

t.test('requests without credentials have the key of the setting, but not those of pages of other sites', async (t) => {
  for (const headers of [
    {},
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'http://127.0.0.1:3000' },
  ]) {
    t.equal(bearer(headers), own, JSON.stringify(headers))
  }
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'http://127.0.0.1:8080' },
    { origin: 'null' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'none' },
    { referer: 'https://evil.example/page' },
  ]) {
    t.throws(
      () => bearer(headers),
      { status: 403, message: /^Forbidden: a page of another site/ },
      JSON.stringify(headers),
    )
  }
  t.equal(bearer({}, undefined, 'key'), undefined)
  t.equal(bearer({ 'sec-fetch-site': 'cross-site', authorization: 'Bearer 1' }), 'Bearer 1')
})

t.test('requests without credentials name a host that no other site can have, or one of the setting', async (t) => {
  for (const host of [
    ...['localhost:3000', 'platen.localhost', '127.0.0.1', '10.1.2.3:3000', '[::1]:3000', '[fd00::1]'],
    ...['gotenberg', 'gotenberg:3000', 'gotenberg.example.com', 'GOTENBERG.example.com:3000'],
  ]) {
    t.equal(bearer({}, host), own, host)
  }
  for (const host of [
    'evil.example',
    'evil.example:3000',
    'x.gotenberg.example.com',
    '127.0.0.1.evil.example',
    '0x7f.1',
  ]) {
    // A name that another site has resolved to this server is of the same origin for its pages.
    t.throws(() => bearer({ 'sec-fetch-site': 'same-origin' }, host), { status: 403, message: /GOTENBERG_HOSTS/ }, host)
  }
  t.equal(bearer({ authorization: 'Bearer 1' }, 'evil.example'), 'Bearer 1')
})

t.test('a request of a foreign page or for a foreign name is answered 403 on the port', async (t) => {
  await using gateway = await startTestGateway()
  await using open = await gateway.startAnother({
    gotenbergPort: 0,
    gotenbergAuth: 'none',
    gotenbergHosts: ['pdf.example'],
    trustProxy: true,
  })
  const version = (headers: OutgoingHttpHeaders) => statusOf(new URL('/version', open.gotenbergUrl), headers)
  t.same(
    await Promise.all([
      version({}),
      version({ host: 'gotenberg:3000' }),
      version({ host: 'pdf.example' }),
      version({ host: 'evil.example' }),
      version({ host: 'evil.example', 'x-forwarded-host': 'localhost' }),
      version({ 'x-forwarded-host': 'evil.example' }),
      version({ origin: 'https://evil.example' }),
      version({ 'sec-fetch-site': 'same-site' }),
    ]),
    [200, 200, 200, 403, 403, 403, 403, 403],
  )
})

/** Not by `fetch`, which sets `Host` itself. */
async function statusOf(url: URL, headers: OutgoingHttpHeaders): Promise<number | undefined> {
  const [response] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}
