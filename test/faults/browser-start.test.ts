import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generation } from '@platen/domain/generation/generation.ts'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import t from 'tap'
import { startPlaten } from '../support/platen.ts'
import { generate } from '../support/print.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

interface BrowserDetail {
  up: boolean
  documents?: number
  failed_starts: number
}

interface Ready {
  status: string
  checks: Record<string, string>
  details: {
    browser: { browsers: Record<'static' | 'scripted', BrowserDetail>; slots: { free: Record<'batch', number> } }
  }
}

t.test(
  'a browser that does not start is reported and retried, and waiting documents are printed once it starts',
  async (t) => {
    const folder = t.testdir({})
    const script = join(folder, 'chromium')
    const write = async (text: string) => {
      await writeFile(script, `#!/bin/sh\n${text}\n`)
      await chmod(script, 0o755)
    }
    await write('echo "no display" >&2; exit 1')
    await using platen = await startPlaten({ CHROMIUM_PATH: script })
    const readyz = () => platen.json<Ready>('/readyz')
    const failedOften = async () => {
      const { status, body } = await readyz()
      return body.details.browser.browsers.static.failed_starts >= 3 ? { status, body } : undefined
    }
    t.match(await until(failedOften, 'the browser was not started again'), {
      status: 503,
      body: {
        status: 'unavailable',
        checks: { browser: 'unavailable', nats: 'ok' },
        details: { browser: { browsers: { static: { up: false } } } },
      },
    })
    t.match(platen.output(), /no display/, 'the log has the reason')
    t.match(await metrics(platen.url), /^platen_browser_up\{mode="static"\} 0$/m)
    const { body: waiting } = await platen.json<Generation>('/v1/generate', { body: { html: 'waiting', async: true } })

    await t.test('a browser that exits before its first document counts as a crash', async (t) => {
      // Each one lives for longer than the last: on a busy machine a browser needs seconds until it has started.
      const lifetime = '$(echo x >> "$0.starts"; wc -l < "$0.starts")'
      await write(`timeout --foreground ${lifetime} ${findChromium(undefined, process.env.PATH ?? '')} "$@"; exit 1`)
      const crashed = async () =>
        /^platen_browser_replacements_total\{mode="static",reason="crash"\} [1-9]/m.test(await metrics(platen.url)) ||
        undefined
      t.ok(await until(crashed, 'the crash was not counted'))
    })

    await write(`exec ${findChromium(undefined, process.env.PATH ?? '')} "$@"`)
    const recovered = async () => ((await readyz()).status === 200 ? true : undefined)
    await until(recovered, '/readyz does not recover')
    const { body } = await platen.json<Generation>(`/v1/generations/${waiting.id}?wait=60`)
    t.equal(body.status, 'completed', JSON.stringify(body.error))
  },
)

t.test('/readyz and /metrics report the state of the browsers and slots', async (t) => {
  await using platen = await startPlaten({ RENDER_SLOTS: '2' })
  await generate(platen, { html: '<p>static' })
  await generate(platen, { html: '<script>document.title = "x"</script>scripted' })
  await platen.json('/v1/generate', { body: { html: 'x', options: { page_ranges: '7' } } })
  const browser = async () => (await platen.json<Ready>('/readyz')).body.details.browser
  // After an interactive request, one slot stays reserved for half a second.
  await until(async () => ((await browser()).slots.free.batch === 2 ? true : undefined), 'the slot stays reserved')
  t.match(await browser(), {
    browsers: {
      static: { up: true, version: /^\d+\./, documents: 2, pages_in_use: 0, failed_starts: 0, replaced: { memory: 0 } },
      scripted: { up: true, documents: 1 },
    },
    slots: { size: 2, busy: { interactive: 0, batch: 0 }, free: { interactive: 3, batch: 2 } },
  })
  const text = await metrics(platen.url)
  for (const line of [
    'platen_browser_up{mode="static"} 1',
    'platen_browser_documents{mode="scripted"} 1',
    'platen_browser_replacements_total{mode="static",reason="memory"} 0',
    'platen_render_slots{priority="batch",state="free"} 2',
    'platen_render_duration_seconds_count{mode="static",outcome="printed"} 1',
    'platen_render_duration_seconds_count{mode="static",outcome="failed"} 1',
    'platen_render_duration_seconds_count{mode="scripted",outcome="printed"} 1',
  ]) {
    t.ok(text.includes(`${line}\n`), line)
  }
  const measured = async () => /^platen_browser_memory_bytes\{mode="static"\} \d{8,}$/m.test(await metrics(platen.url))
  await until(async () => (await measured()) || undefined, 'the memory of the browser is not measured')
})

const metrics = async (url: string) => (await fetch(`${url}/metrics`)).text()
