import t from 'tap'
import { startEmbeddedEngines } from '../support/engines.ts'
import { startFleet } from '../support/fleet.ts'
import { killNow } from '../support/kill-now.ts'
import { descendantsOf } from '../support/processes.ts'
import { look, startBrowser } from './open-studio.ts'

t.setTimeout(600_000)

t.test('an operator finds the renderer that is slower than the other', async (t) => {
  await using engines = await startEmbeddedEngines()
  await using fleet = await startFleet(engines.settings)
  const [gateway] = fleet.gateways
  const slow = fleet.processes.find(({ name }) => name === 'renderer-2')
  const browsers = await descendantsOf(slow?.pid() ?? 0)
  t.ok(browsers.length > 0)
  const signal = (name: NodeJS.Signals) => {
    for (const { pid } of browsers) killNow(pid, name)
  }
  // Its browsers run for a fifth of the time.
  const stops = setInterval(() => {
    signal('SIGSTOP')
    setTimeout(() => signal('SIGCONT'), 80)
  }, 100)
  t.teardown(() => clearInterval(stops))
  const print = () => gateway.json<{ status: string }>('/v1/generate', { body: { html: '<h1>Label</h1>' } })
  for (let round = 0; round < 15; round++) {
    const made = await Promise.all([1, 2, 3, 4].map(print))
    t.same(new Set(made.map(({ body }) => body.status)), new Set(['completed']))
  }
  clearInterval(stops)
  await using studio = await startBrowser({ url: gateway.url, apiKey: fleet.apiKey })
  await using opened = await studio.open('/')
  const { page, problems } = opened
  const processes = page.getByRole('table', { name: 'Processes' })
  const marked = processes.getByRole('row').filter({ has: page.getByText('slow', { exact: true }) })
  await marked.first().waitFor()
  t.equal(await marked.count(), 1)
  t.same(await look(page, 'home-slow-renderer'), [])
  t.same(problems, [])
})
