import type { Generation } from '@platen/domain/generation/generation.ts'
import t from 'tap'
import { killNow } from '../support/kill-now.ts'
import { startPlaten } from '../support/platen.ts'
import { download } from '../support/print.ts'
import type { OtherProcess } from '../support/processes.ts'
import { readPdf } from '../support/read-pdf.ts'
import { until } from '../support/until.ts'

t.setTimeout(600_000)

const platen = await startPlaten()
t.teardown(() => platen[Symbol.asyncDispose]())

const browsers = async () => (await platen.children()).filter(({ command }) => /chrom/.test(command))
// Debian starts Chromium with a shell script of that name.
const isMain = ({ command }: OtherProcess) => !command.includes('--type=') && !command.startsWith('/bin/sh')
const isRenderer = ({ command }: OtherProcess) => command.includes('--type=renderer')
const slow = (n: number) =>
  `<p>Document ${n}<script>const until = Date.now() + 100; while (Date.now() < until);</script>`

t.test('generations are completed after kill -9 of the browser or one of its processes', async (t) => {
  const submit = async (n: number) =>
    (await platen.json<Generation>('/v1/generate', { body: { html: slow(n), async: n % 3 !== 0 } })).body.id
  const answers = Promise.all(Array.from({ length: 30 }, (_, n) => submit(n)))
  const killed = new Set<number>()
  for (const choose of [isMain, isRenderer, isMain]) {
    const victim = await until(
      async () => (await browsers()).find((process) => choose(process) && !killed.has(process.pid)),
      'no browser process is running',
    )
    killed.add(victim.pid)
    killNow(victim.pid)
  }
  const ids = await answers
  for (const [n, id] of ids.entries()) {
    const { body } = await platen.json<Generation>(`/v1/generations/${id}?wait=60`)
    t.equal(body.status, 'completed', `${id} ${JSON.stringify(body.error)}`)
    const [page] = await readPdf(await download(body.url))
    t.equal(page?.text, `Document ${n}`)
  }
  t.equal(killed.size, 3)
  t.match(await (await fetch(`${platen.url}/readyz`)).json(), { checks: { browser: 'ok' } })
})

t.test('a document that crashes its page every time fails, and other documents are printed', async (t) => {
  const crash = '<script>const all = []; for (;;) all.push(new Array(1e6).fill(1.5))</script>'
  const [crashed, ...others] = await Promise.all([
    platen.json<Generation>('/v1/generate', { body: { html: crash } }),
    ...Array.from({ length: 6 }, (_, n) => platen.json<Generation>('/v1/generate', { body: { html: slow(n) } })),
  ])
  t.match(crashed.body, { error: { code: 'RENDER_FAILED' } })
  t.equal(crashed.status, 422)
  t.strictSame(new Set(others.map(({ status }) => status)), new Set([200]))
})

t.test('no replaced browser is still running', async (t) => {
  const mains = (await browsers()).filter(isMain)
  t.ok(mains.length >= 1 && mains.length <= 2, `${mains.length} browsers`)
})
