import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { freePorts } from '@platen/test-support/free-port.ts'
import { startPlaten } from '@platen/test-support/platen.ts'
import { readPdf } from '@platen/test-support/read-pdf.ts'
import { until } from '@platen/test-support/until.ts'
import { conforms, noVeraPdf } from '@platen/test-support/vera-pdf.ts'
import t, { type Test } from 'tap'
import { hasProgram, runSteps } from '../../generators/run-steps.ts'
import { type Client, clients } from './clients.ts'

// Public clients of Gotenberg work with Platen as they are. They come from the registries of their languages, and are skipped where these
// do not give them.
t.setTimeout(600_000)

const { XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env
const tools = join(XDG_CACHE_HOME, 'platen-generators')
const [port = 0] = await freePorts(1)
const platen = await startPlaten({
  GOTENBERG_PORT: String(port),
  RENDER_EGRESS: 'any',
  DOCS: 'off',
  STUDIO: 'off',
})
t.teardown(() => platen[Symbol.asyncDispose]())
const folder = await mkdtemp(join(tmpdir(), 'platen-gotenberg-clients-'))
t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

/** The requests that came to `/hook/<name of the client>`. */
const hooked = new Map<string, { order: unknown; disposition: unknown; body: Buffer }>()
const web = createServer(async (request, response) => {
  if (request.url?.startsWith('/hook/')) {
    const { 'x-order': order, 'content-disposition': disposition } = request.headers
    hooked.set(decodeURI(request.url), { order, disposition, body: await buffer(request) })
  }
  response.setHeader('content-type', 'text/html').end('<p>Page of the network')
}).listen(0, '127.0.0.1')
await once(web, 'listening')
t.teardown(() => web.close())
const base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`

for (const client of clients) {
  await t.test(`${client.name} ${client.version} works as it is`, async (t) => {
    const missing = client.needs.find((program) => !hasProgram(program))
    if (missing !== undefined) return t.pass('skipped', { skip: `no ${missing}` })
    const place = join(folder, client.calls)
    await cp(join(import.meta.dirname, 'calls', client.calls), place, { recursive: true })
    await mkdir(tools, { recursive: true })
    const hook = `/hook/${client.calls}`
    const env = {
      TOOLS: tools,
      GOTENBERG_URL: `http://127.0.0.1:${port}`,
      API_KEY: platen.apiKey,
      PAGE_URL: `${base}/page`,
      HOOK_URL: base + hook,
      GOFLAGS: '-mod=mod',
    }
    const installed = await runSteps(client.install, place, env)
    if (!installed.ok) {
      const [reason = ''] = installed.output.trim().split('\n').slice(-1)
      return t.pass('skipped', { skip: `not installed: ${reason.slice(0, 200)}` })
    }
    const called = await runSteps(client.call, place, env)
    t.ok(called.ok, 'the program', { output: called.output.slice(-3_000) })
    await judge(t, client, { place, hook })
  })
}

/** What the calls of a client have made. */
async function judge(t: Test, { can }: Client, { place, hook }: { place: string; hook: string }) {
  const pages = async (name: string) => readPdf(await readFile(join(place, `${name}.pdf`)))
  const text = async (name: string) => (await pages(name)).map((page) => page.text).join('\n')
  t.match(await text('html'), /Hello styled/)
  t.match(await text('html'), /Head/)
  const [first] = await pages('html')
  // Some know A5 in rounded inches only.
  t.ok(Math.abs((first?.widthMm ?? 0) - 148) < 1.5 && Math.abs((first?.heightMm ?? 0) - 210) < 1.5, 'A5')
  if (can.includes('url')) t.match(await text('url'), /Page of the network/)
  t.match(await text('merge'), /Hello styled[\s\S]*Page of the network/)
  if (can.includes('archive')) {
    const file = join(place, 'archive.pdf')
    t.match(await text('archive'), /Archived/)
    t.match(await readFile(file, 'latin1'), /pdfaid:part(>|=")3/)
    if (noVeraPdf === false) t.equal(conforms(file, '3b'), '')
  }
  if (can.includes('webhook')) {
    const sent = await until(async () => hooked.get(hook), 'no webhook came')
    t.match(sent, { order: '7', disposition: /later\.pdf/ })
    t.match((await readPdf(sent.body)).map((page) => page.text).join(), /Later/)
  }
}
