import { treePssMb } from './machine/process-tree.ts'
import { readOptions } from './machine/read-options.ts'
import { limited } from './report/limited.ts'
import { significant } from './report/text-table.ts'
import { openPlaten, type RunningPlaten } from './strategies/running-platen.ts'

const help = `Usage: node bench/tables.ts

Prints one table of five columns with 4,000 to 100,000 rows. Exits with code 1 beyond a limit.

  30,000 rows       30 s, the default deadline
  a row of 100,000  3 times as long as a row of 4,000
`
readOptions(help, {})

const counts = [4_000, 16_000, 30_000, 100_000]

const html = `<!doctype html><style>table { border-collapse: collapse; width: 100% } td, th { border: 1px solid #999; padding: 2px 4px }</style>
  <table><thead><tr><th>No<th>Article<th>Pieces<th>Price<th>Note<tbody>
  {{#each rows}}<tr><td>{{a}}<td>{{b}}<td>{{c}}<td>{{d}}<td>{{e}}{{/each}}</table>`

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, row) => ({
    a: row,
    b: `Article ${row % 977}`,
    c: row % 90,
    d: ((row * 137) % 9_973) / 100,
    e: `n ${row % 9}`,
  }))

/** Seconds, and the most memory of all processes in MB. */
async function printed({ client, pid }: RunningPlaten, rows: number): Promise<{ seconds: number; peakMb: number }> {
  let peakMb = 0
  const sampling = setInterval(() => (peakMb = Math.max(peakMb, treePssMb([pid]))), 500)
  const since = performance.now()
  const { status, body } = await client.post('/v1/generate', { html, data: { rows: rowsOf(rows) } })
  clearInterval(sampling)
  if (status !== 200) console.log(`${rows} rows: ${status} ${body.toString().slice(0, 300)}`)
  return { seconds: status === 200 ? (performance.now() - since) / 1_000 : Number.POSITIVE_INFINITY, peakMb }
}

await using platen = await openPlaten({ RENDER_TIMEOUT_MS: '120000', SYNC_TIMEOUT_MS: '130000' })
await printed(platen, 100)
const perRow: Record<number, number> = {}
for (const rows of counts) {
  const { seconds, peakMb } = await printed(platen, rows)
  perRow[rows] = seconds / rows
  console.log(`${rows} rows: ${significant(seconds)} s, memory of all processes ${significant(peakMb)} MB at most`)
  if (rows === 30_000) limited('30,000 rows', seconds, 30, 's')
}
limited(
  'a row of 100,000 over a row of 4,000',
  (perRow[100_000] ?? Number.NaN) / (perRow[4_000] ?? Number.NaN),
  3,
  'times',
)
