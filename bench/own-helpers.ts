import { openTemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { readOptions } from './machine/read-options.ts'
import { median } from './machine/statistics.ts'
import { limited } from './report/limited.ts'

const help = `Usage: node bench/own-helpers.ts

Fills a table of 1,000 rows with a helper of the template's own script and with one of Platen, in turn. Exits with code 1 beyond a limit.

  the script of a document   3 ms: its memory, its global objects and its functions
  a call                     50 µs more than one of Platen's helper multiply
`
readOptions(help, {})

const rounds = 40
const rows = 1_000
const script = 'export const gross = (net, rate) => Math.round(net * (100 + rate)) / 100'
const data = { rows: Array.from({ length: rows }, (_, net) => ({ net })) }
await using engine = openTemplateEngine({ workers: 1, ownHelpers: true })

/** Duration of a request in ms. */
async function timed(html: string, helpers?: string): Promise<number> {
  const since = performance.now()
  await engine.render({ sources: { html }, data, ...(helpers !== undefined && { helpers }) })
  return performance.now() - since
}

const variants = {
  none: () => timed('<p>{{rows.length}}</p>'),
  script: () => timed('<p>{{rows.length}}</p>', script),
  platen: () => timed('{{#each rows}}<p>{{multiply net 1.19}}</p>{{/each}}'),
  own: () => timed('{{#each rows}}<p>{{gross net 19}}</p>{{/each}}', script),
}
const times = { none: [] as number[], script: [] as number[], platen: [] as number[], own: [] as number[] }
for (let round = -10; round < rounds; round++) {
  for (const name of Object.keys(variants) as (keyof typeof variants)[]) {
    const ms = await variants[name]()
    if (round >= 0) times[name].push(ms)
  }
}

const scriptMs = median(times.script) - median(times.none)
limited('the script of a document', scriptMs, 3, 'ms')
limited(
  'a call, beyond one of Platen',
  ((median(times.own) - median(times.platen) - scriptMs) / rows) * 1_000,
  50,
  'µs',
)
