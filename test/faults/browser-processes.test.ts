import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Generation } from '@platen/domain/generation/generation.ts'
import t from 'tap'
import { type BrowserWatch, watchBrowsers } from '../support/browser-processes.ts'
import { killNow } from '../support/kill-now.ts'
import { type Platen, startPlaten } from '../support/platen.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

const endless = '<p>x<script>for (;;);</script>'
const unhurried = '<p>x<script>const until = Date.now() + 300; while (Date.now() < until);</script>'
/** One browser for each mode. */
const browsersWanted = 2
/** With two slots: two pages for each mode, and two more for interactive documents. */
const pagesWanted = 6

const noStrays = (browsers: BrowserWatch) =>
  until(
    async () => ((await browsers.strays()).length === 0 ? true : undefined),
    async () => `processes left: ${JSON.stringify(await browsers.strays())}`,
  )

t.test('aborted generations leave no process behind', async (t) => {
  await using platen = await startPlaten({ RENDER_SLOTS: '2' })
  await using browsers = watchBrowsers(platen.pid)
  const aborts = [disconnect, cancel, timeOut]
  const outcomes = await Promise.all(Array.from({ length: 24 }, (_, n) => aborts[n % aborts.length]?.(platen, n)))
  t.strictSame(
    new Set(outcomes),
    new Set(['disconnected', 'cancelled', 'failed: RENDER_TIMEOUT']),
    'each generation was aborted',
  )
  const idle = async () => ((await busySlots(platen)) === 0 ? true : undefined)
  await until(idle, 'slots are still busy')
  await noStrays(browsers)
  const count = async (wanted: string) => (await browsers.living()).filter(({ kind }) => kind === wanted).length
  const closed = async () => ((await count('renderer')) <= pagesWanted ? true : undefined)
  await until(closed, async () => `${await count('renderer')} pages are open`)
  t.equal(await count('browser'), browsersWanted)
  t.equal((await platen.json('/v1/generate', { body: { html: 'after' } })).status, 200)
})

async function disconnect(platen: Platen, n: number): Promise<string> {
  const signal = AbortSignal.timeout(100 + n * 10)
  const html = n % 2 === 0 ? endless : unhurried
  return platen.request('/v1/generate', { body: { html }, signal }).then(
    ({ status }) => `answered: ${status}`,
    () => 'disconnected',
  )
}

async function cancel(platen: Platen, n: number): Promise<string> {
  const { body } = await platen.json<Generation>('/v1/generate', { body: { html: endless, async: true } })
  await delay(n * 20)
  const cancelled = await platen.json<Generation>(`/v1/generations/${body.id}`, { method: 'DELETE' })
  // The deadline may pass before the cancellation.
  return cancelled.status === 409 ? 'cancelled' : cancelled.body.status
}

async function timeOut(platen: Platen): Promise<string> {
  const late = { html: endless, async: true, options: { timeout_ms: 1_000 } }
  const { body } = await platen.json<Generation>('/v1/generate', { body: late })
  const { body: ended } = await platen.json<Generation>(`/v1/generations/${body.id}?wait=60`)
  return `${ended.status}: ${ended.error?.code}`
}

async function busySlots(platen: Platen): Promise<number> {
  const { details } = await readyz(platen)
  const { busy, waiting } = details.browser.slots
  return busy.interactive + busy.batch + waiting.interactive + waiting.batch
}

interface Ready {
  details: { browser: { slots: Record<'busy' | 'waiting', Record<'interactive' | 'batch', number>> } }
}

async function readyz(platen: Platen): Promise<Ready> {
  return (await platen.json<Ready>('/readyz')).body
}

t.test('after kill -9 of the service its browsers exit, and the next start removes their profiles', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-tmp-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const profiles = async () => (await readdir(folder)).filter((name) => name.startsWith('platen-browsers-'))
  await using platen = await startPlaten({ TMPDIR: folder })
  await using browsers = watchBrowsers(platen.pid)
  for (const html of [endless, endless, '<p>static']) {
    await platen.json('/v1/generate', { body: { html, async: true } })
  }
  await until(async () => ((await busySlots(platen)) >= 2 ? true : undefined), 'no document is being rendered')
  t.ok((await browsers.living()).length > 5)
  const [left = ''] = await profiles()
  const service = platen.pid()
  killNow(service)
  await noStrays(browsers)
  t.strictSame(await profiles(), [left])

  await platen.start()
  const [now, ...others] = await profiles()
  t.strictSame(others, [], 'only the folder of the running service exists')
  t.not(now, left)
  t.equal(await platen.stop(), 0)
  t.strictSame(await profiles(), [])
})
