import type { components } from '@platen/client'
import t from 'tap'
import { type BrowserWatch, watchBrowsers } from '../support/browser-processes.ts'
import { startEmbeddedEngines } from '../support/engines.ts'
import { type ServiceProcess, startFleet } from '../support/fleet.ts'
import { startPlaten, testApiKey } from '../support/platen.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

type Comparison = components['schemas']['TemplateComparison'] & { error?: { code: string; message: string } }
interface Ready {
  details: { browser: { slots: Record<'busy' | 'waiting', Record<'interactive' | 'batch', number>> } }
}

/** Gets `details` of the gateway, too. */
const operator = { authorization: `Bearer ${testApiKey}` }

const busySlots = async (url: string): Promise<number> => {
  const { details } = (await (await fetch(`${url}/readyz`, { headers: operator })).json()) as Ready
  const { busy, waiting } = details.browser.slots
  return busy.interactive + busy.batch + waiting.interactive + waiting.batch
}
const untilBusy = (url: string) =>
  until(async () => ((await busySlots(url)) > 0 ? true : undefined), 'nothing is compared')
const untilIdle = (url: string) =>
  until(async () => ((await busySlots(url)) === 0 ? true : undefined), 'a slot is still busy')
const noStrays = (browsers: BrowserWatch) =>
  until(
    async () => ((await browsers.strays()).length === 0 ? true : undefined),
    async () => `processes left: ${JSON.stringify(await browsers.strays())}`,
  )

const style = '<style>section{break-after:page}section:last-child{break-after:auto}</style>'
const slow = (ms: number) => `<script>const until = Date.now() + ${ms}; while (Date.now() < until);</script>`
const book = (pages: number, more = '') =>
  `${style}${Array.from({ length: pages }, (_, page) => `<section><h1>Page ${page}</h1></section>`).join('')}${more}`

t.test('a comparison whose renderer is killed is made by another one, or ends with an error', async (t) => {
  await using engines = await startEmbeddedEngines()
  await using fleet = await startFleet(engines.settings)
  const [gateway] = fleet.gateways
  const renderers = fleet.processes.filter(({ service }) => service === 'renderer')
  await gateway.json('/v1/templates', { body: { name: 'Killed', html: book(2, slow(1_500)) } })
  await gateway.json('/v1/templates/killed', { method: 'PATCH', body: { html: book(3, slow(1_500)) } })
  const compare = () => gateway.json<Comparison>('/v1/templates/killed/compare?pages=true')
  const working = () =>
    until(async () => {
      for (const renderer of renderers) {
        // One was killed.
        if ((await busySlots(renderer.url).catch(() => 0)) > 0) return renderer
      }
      return undefined
    }, 'nothing is compared')

  const repeated = compare()
  const victim: ServiceProcess = await working()
  // Resolves when its browsers have exited.
  await victim.kill()
  const { status, body } = await repeated
  t.equal(status, 200, JSON.stringify(body))
  t.same(
    body.pages?.map((page) => page.status),
    ['same', 'same', 'added'],
  )

  const lost = compare()
  const other: ServiceProcess = await working()
  t.not(other.name, victim.name)
  await other.kill()
  t.match(await lost, { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE', message: /retry later/ } } })

  await Promise.all(renderers.map((renderer) => renderer.start()))
  t.equal((await compare()).status, 200)
  for (const renderer of renderers) await untilIdle(renderer.url)
})

t.test('a comparison ends with its client, while it prints and while it compares', async (t) => {
  await using platen = await startPlaten({ RENDER_SLOTS: '1' })
  await using browsers = watchBrowsers(platen.pid)
  const save = async (name: string, ...[first, next]: [string, string]) => {
    await platen.json('/v1/templates', { body: { name, html: first } })
    await platen.json(`/v1/templates/${name}`, { method: 'PATCH', body: { html: next } })
  }
  await save('printing', book(1, slow(20_000)), book(2, slow(20_000)))
  // PDFium draws such a page for many seconds, Chromium prints it at once.
  const many = `<svg width=600 height=900>${'<g opacity=.9><rect width=600 height=900 fill=red /><circle r=400 /></g>'.repeat(3_000)}</svg>`
  await save('comparing', many, `${many}<p>`)
  t.equal((await platen.json('/v1/generate', { body: { html: book(1) } })).status, 200)
  const pages = async () => (await browsers.living()).filter(({ kind }) => kind === 'renderer').length
  for (const name of ['printing', 'comparing', 'printing', 'comparing']) {
    const client = new AbortController()
    const gone = platen.request(`/v1/templates/${name}/compare?pages=true`, { signal: client.signal }).then(
      ({ status }) => `answered ${status}`,
      () => 'gone',
    )
    await untilBusy(platen.url)
    if (name === 'comparing') await new Promise((done) => setTimeout(done, 3_000))
    client.abort()
    t.equal(await gone, 'gone', name)
    const since = performance.now()
    await untilIdle(platen.url)
    t.comment(`${name}: the slot was free after ${Math.round(performance.now() - since)} ms`)
    t.equal((await platen.json('/v1/generate', { body: { html: book(1) } })).status, 200)
  }
  await noStrays(browsers)
  // One slot: a page for each mode, and two more for interactive documents.
  await until(
    async () => ((await pages()) <= 4 ? true : undefined),
    async () => `${await pages()} pages are open`,
  )
})

t.test('documents whose clients wait go before comparisons', async (t) => {
  await using platen = await startPlaten({ RENDER_SLOTS: '1' })
  await platen.json('/v1/templates', { body: { name: 'Long', html: book(1, slow(800)) } })
  await platen.json('/v1/templates/long', { method: 'PATCH', body: { html: book(2, slow(800)) } })
  let ended = 0
  const comparisons = Array.from({ length: 4 }, async () => {
    const { status } = await platen.json('/v1/templates/long/compare?pages=true')
    ended++
    return status
  })
  await untilBusy(platen.url)
  const printed: number[] = []
  let mostEnded = 0
  while (ended < 2) {
    const before = ended
    const { status } = await platen.json('/v1/generate', { body: { html: book(1) } })
    mostEnded = Math.max(mostEnded, ended - before)
    printed.push(status)
  }
  t.same(new Set(printed), new Set([200]))
  // Each comparison has two documents, and a document of a client goes before the next of them.
  t.ok(mostEnded <= 1, `a document waited for ${mostEnded} comparisons`)
  t.same(new Set(await Promise.all(comparisons)), new Set([200]))
})
