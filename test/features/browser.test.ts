import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import { chromium } from 'playwright-core'
import t, { type Test } from 'tap'
import { startPlaten, testApiKey } from '../support/platen.ts'

const clients = join(import.meta.dirname, '../../clients')
const client = join(clients, 'typescript/src')
const imports = {
  '@platen/client': '/client/exports.ts',
  '@platen/events': '/events.js',
  'openapi-fetch': '/openapi-fetch.js',
}
const page = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`

/** A web application: a page, and the modules of @platen/client without their types. */
function moduleAt(path: string): string | undefined {
  if (path === '/events.js') return readFileSync(join(clients, 'events/index.js'), 'utf8')
  if (path === '/openapi-fetch.js') {
    return readFileSync(join(clients, 'typescript/node_modules/openapi-fetch/dist/index.mjs'), 'utf8')
  }
  const [, name] = /^\/client\/([a-z-]+\.ts)$/.exec(path) ?? []
  return name === undefined ? undefined : stripTypeScriptTypes(readFileSync(join(client, name), 'utf8'))
}

/** The origins of two applications. */
async function serveApplications(t: Test): Promise<[string, string]> {
  const origins = await Promise.all(
    [1, 2].map(async () => {
      const server = createServer(({ url = '/' }, response) => {
        const module = moduleAt(url)
        response.writeHead(200, { 'content-type': module ? 'text/javascript' : 'text/html' }).end(module ?? page)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      t.teardown(() => server.close())
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }),
  )
  return origins as [string, string]
}

t.test('a page of another origin prints with the API and with @platen/client, if CORS_ORIGINS names it', async (t) => {
  const [allowed, other] = await serveApplications(t)
  await using platen = await startPlaten({ CORS_ORIGINS: allowed })
  const browser = await chromium.launch({
    executablePath: findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? ''),
    chromiumSandbox: false,
  })
  t.teardown(() => browser.close())
  const open = async (origin: string) => {
    const opened = await browser.newPage()
    await opened.goto(origin)
    return opened
  }
  const settings = { url: platen.url, key: testApiKey }
  const application = await open(allowed)
  const printed = await application.evaluate(printWithFetch, settings)
  t.match(printed, { status: 200, start: '%PDF', generationId: /^pdf_/ }, 'a preflight, and headers that may be read')
  t.match(await application.evaluate(printWithClient, settings), {
    pages: 1,
    start: '%PDF',
    name: 'März.pdf',
    error: 'TEMPLATE_NOT_FOUND',
    requestId: /^req_/,
    forged: 'WebhookVerificationError',
  })

  const stranger = await open(other)
  await t.rejects(stranger.evaluate(printWithFetch, settings), /Failed to fetch/)
  t.equal(await stranger.evaluate(readStart, printed.url), '%PDF', 'every page may read a signed file')
})

interface Settings {
  url: string
  key: string
}

// These run in the page.

async function printWithFetch({ url, key }: Settings) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'page' }
  const send = (accept: string) =>
    fetch(`${url}/v1/generate`, { method: 'POST', headers: { ...headers, accept }, body: '{"html":"<p>From a page"}' })
  const response = await send('application/pdf')
  const start = (await response.text()).slice(0, 4)
  const generation: { url: string } = JSON.parse(await (await send('application/json')).text())
  const generationId = response.headers.get('x-generation-id')
  return { status: response.status, start, generationId, url: generation.url }
}

async function readStart(url: string) {
  return (await (await fetch(url, { headers: { range: 'bytes=0-3' } })).text()).slice(0, 4)
}

async function printWithClient(settings: Settings) {
  const { Platen, verifyWebhook }: typeof import('@platen/client') = await import('@platen/client')
  const platen = new Platen({ ...settings, timeoutMs: 300_000 })
  const { pages, url } = await platen.generate({ html: '<p>From a page', file_name: 'März' })
  const file = await platen.file(url)
  const start = new TextDecoder().decode((await file.bytes()).subarray(0, 4))
  const { code: error, requestId } = await platen.generatePdf({ template: 'nowhere' }).catch((err) => err)
  const headers = { 'webhook-id': '1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }
  const signed = { ...headers, 'webhook-signature': 'v1,AAAA' }
  const { name: forged } = await verifyWebhook('{}', signed, 'whsec_c2VjcmV0').catch((err) => err)
  return { pages, start, name: file.name, error, requestId, forged }
}
