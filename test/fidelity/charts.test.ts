import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startPlaten } from '../support/platen.ts'
import { comparePages } from './support/compare-pages.ts'
import { openJudge } from './support/open-judge.ts'
import { openSite } from './support/open-site.ts'
import { printByPlaten } from './support/platen-printer.ts'
import { type PrintedPage, readPages } from './support/read-pages.ts'
import { serveFolder } from './support/serve-folder.ts'

t.setTimeout(600_000)

/** How often Platen prints each. FIDELITY_REPEAT=10 is the full form. */
const repeat = Number(process.env.FIDELITY_REPEAT ?? 3)
/** Longer than any pause of a library while it draws, on a busy machine as well. */
const quietMs = 8_000

/** A word in each chart, so that a comparison of two empty charts fails. */
const words = {
  'apexcharts.html': 'South',
  'c3.html': '73.4%',
  'chartjs.html': 'Chart.js',
  'd3.html': 'green',
  'echarts.html': 'March',
  'katex.html': '∞',
  'mathjax.html': '∞',
  'mermaid.html': 'In stock?',
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const charts = fileURLToPath(new URL('charts/', import.meta.url))
const site = await openSite({ find: serveFolder(root), delayMs: 10 })
t.teardown(() => site[Symbol.asyncDispose]())
const platen = await startPlaten({ RENDER_EGRESS: 'any' })
t.teardown(() => platen[Symbol.asyncDispose]())
const judge = await openJudge(platen)
t.teardown(() => judge[Symbol.asyncDispose]())

const names = (await readdir(charts)).sort()
const urlOf = (name: string) => `${site.url}/test/fidelity/charts/${name}`
const printPlain = async (name: string) => readPages(await judge.print(urlOf(name), { quietMs }))
/** All at once: the most of it is waiting. */
const judged = new Map(names.map((name) => [name, Promise.all([printPlain(name), printPlain(name)])]))

t.test('each library has its document', async (t) => {
  t.same(names, Object.keys(words))
  await Promise.all(judged.values())
})

for (const [name, word] of Object.entries(words)) {
  t.test(name, async (t) => {
    const [plain = [], again = []] = (await judged.get(name)) ?? []
    t.same(comparePages(plain, again), [], 'plain Chromium prints it the same twice')
    t.match(textOf(plain), word, 'with its text')
    const html = await readFile(`${charts}${name}`, 'utf8')
    for (let n = 1; n <= repeat; n++) {
      const { pdf, error, warnings } = await printByPlaten(platen, { html, baseUrl: urlOf(name) })
      t.same(pdf ? comparePages(plain, await readPages(pdf)) : error, [], `rendering ${n}`)
      t.same(warnings, [])
    }
  })
}

function textOf(pages: readonly PrintedPage[]): string {
  return pages.map(({ text }) => text).join(' ')
}
