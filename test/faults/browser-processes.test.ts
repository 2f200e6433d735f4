import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Generation } from '@platen/shared/contracts/generation.ts'
import t from 'tap'
import { type BrowserWatch, watchBrowsers } from '../support/browser-processes.ts'
import { killNow } from '../support/kill-now.ts'
import { type Platen, startPlaten } from '../support/platen.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

const endless = '<p>x<script>for (;;);</script>'
const unhurried = '<p>x<script>const until = Date.now() + 300; while (Date.now() < until);</script>'
/** A browser for each mode. */
const browsersWanted = 2
/** With two slots: two of its own for each mode, and the one that is kept for interactive work. */
const pagesWanted = 5

const none = (browsers: BrowserWatch) =>
  until(
    async () => ((await browsers.strays()).length === 0 ? true : undefined),
    async () => `left behind: ${JSON.stringify(await browsers.strays())}`,
  )

t.test('50 renders that are broken off leave no process behind', async (t) => {
  await using platen = await startPlaten({ RENDER_DEADLINE_MS: '1000', RENDER_SLOTS: '2' })
  await using browsers = watchBrowsers(platen.pid)
  const ways = [disconnect, cancel, runOut]
  const outcomes = await Promise.all(Array.from({ length: 50 }, (_, n) => ways[n % ways.length]?.(platen, n)))
  t.strictSame(
    new Set(outcomes),
    new Set(['disconnected', 'cancelled', 'failed: RENDER_TIMEOUT']),
    'each was broken off, in its own way',
  )
  const idle = async () => ((await busySlots(platen)) === 0 ? true : undefined)
  await until(idle, 'something is still being rendered')
  await none(browsers)
  const count = async (wanted: string) => (await browsers.living()).filter(({ kind }) => kind === wanted).length
  const closed = async () => ((await count('renderer')) <= pagesWanted ? true : undefined)
  await until(closed, async () => `${await count('renderer')} pages are open`)
  t.equal(await count('browser'), browsersWanted)
  t.equal((await platen.json('/v1/generate', { body: { html: 'after' } })).status, 200)
})

async function disconnect(platen: Platen, n: number): Promise<string> {
  const signal = AbortSignal.timeout(100 + n * 5)
  const html = n % 2 === 0 ? endless : unhurried
  return platen.request('/v1/generate', { body: { html }, signal }).then(
    ({ status }) => `answered: ${status}`,
    () => 'disconnected',
  )
}

async function cancel(platen: Platen, n: number): Promise<string> {
  const { body } = await platen.json<Generation>('/v1/generate', { body: { html: endless, async: true } })
  await delay(n * 10)
  const cancelled = await platen.json<Generation>(`/v1/generations/${body.id}`, { method: 'DELETE' })
  // One may have met its deadline first.
  return cancelled.status === 409 ? 'cancelled' : cancelled.body.status
}

async function runOut(platen: Platen): Promise<string> {
  const { body } = await platen.json<Generation>('/v1/generate', { body: { html: endless, async: true } })
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

t.test('kill -9 of the service alone: its browsers end, and the next start removes what they left', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-tmp-'))
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const profiles = async () => (await readdir(folder)).filter((name) => name.startsWith('platen-browsers-'))
  await using platen = await startPlaten({ TMPDIR: folder })
  await using browsers = watchBrowsers(platen.pid)
  for (const html of [endless, endless, '<p>static']) {
    await platen.json('/v1/generate', { body: { html, async: true } })
  }
  await until(async () => ((await busySlots(platen)) >= 2 ? true : undefined), 'nothing is rendered')
  t.ok((await browsers.living()).length > 5)
  const [left = ''] = await profiles()
  const service = platen.pid()
  killNow(service)
  await none(browsers)
  t.strictSame(await profiles(), [left])

  const longAgo = new Date(Date.now() - 3_600_000)
  await utimes(join(folder, left, 'lock.db'), longAgo, longAgo)
  await platen.start()
  const [now, ...others] = await profiles()
  t.strictSame(others, [], 'one folder, of the one that runs')
  t.not(now, left)
  t.equal(await platen.stop(), 0)
  t.strictSame(await profiles(), [])
})
