import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { benchDocuments } from './documents/documents.ts'
import { type CpuByPart, cpuClock, parts, sumOf } from './machine/cpu-by-part.ts'
import { treePssMb } from './machine/process-tree.ts'
import { readOptions } from './machine/read-options.ts'
import { median, quantile } from './machine/statistics.ts'
import { significant, textTable } from './report/text-table.ts'
import { expectAnswer, openPlaten, type RunningPlaten } from './strategies/running-platen.ts'

const help = `Usage: node bench/versions.ts --with <folder> [options]

Compares this checkout with another one: both run at the same time, and print in turn, for some seconds each. Their packages must be
installed (npm run setup). Prints documents a second, milliseconds, and the processor time of a document by program, and the ratio
of this checkout to the other one: the median of the rounds. It has no limit.

  --with <folder>       the other checkout
  --documents <names>   label,invoice,report,table,chart (label)
  --at-once <numbers>   1,2,8
  --rounds <n>          8
  --seconds <n>         of each turn (2)
`

const values = readOptions(help, {
  with: { type: 'string' },
  documents: { type: 'string', default: 'label' },
  'at-once': { type: 'string', default: '1,2,8' },
  rounds: { type: 'string', default: '8' },
  seconds: { type: 'string', default: '2' },
})
if (values.with === undefined) {
  process.stderr.write(help)
  process.exit(2)
}
const folders = [fileURLToPath(new URL('..', import.meta.url)), resolve(values.with)]
const documents = (await benchDocuments()).filter(({ name }) => values.documents.split(',').includes(name))
const rounds = Number(values.rounds)

interface Turn {
  rate: number
  latenciesMs: number[]
  /** Processor time of one document. */
  cpu: CpuByPart
}

async function takeTurn({ pid, client }: RunningPlaten, html: string, atOnce: number, seconds: number): Promise<Turn> {
  const latenciesMs: number[] = []
  const clock = cpuClock(pid)
  const startedAt = performance.now()
  const endAt = startedAt + seconds * 1_000
  const work = async () => {
    while (performance.now() < endAt) {
      const sentAt = performance.now()
      expectAnswer(await client.post('/v1/generate', { html }), 200)
      latenciesMs.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const rate = (latenciesMs.length * 1_000) / (performance.now() - startedAt)
  // Work after the answer belongs to the documents of this round.
  await new Promise((resolve) => setTimeout(resolve, 200))
  const cpu = clock.lap()
  for (const part of parts) cpu[part] /= latenciesMs.length
  return { rate, latenciesMs, cpu }
}

await using resources = new AsyncDisposableStack()
const versions: RunningPlaten[] = []
for (const folder of folders) {
  versions.push(resources.use(await openPlaten({}, join(folder, 'deploy/single-node/src/main.ts'))))
}
const atRest = versions.map(({ pid }) => treePssMb([pid]))
const rows: string[][] = []
for (const { name, html } of documents) {
  for (const version of versions) await takeTurn(version, html, 2, 4)
  for (const atOnce of values['at-once'].split(',').map(Number)) {
    const turns: Turn[][] = [[], []]
    for (let round = 0; round < rounds; round++) {
      for (const which of round % 2 ? [1, 0] : [0, 1]) {
        const version = versions[which]
        if (version) turns[which]?.push(await takeTurn(version, html, atOnce, Number(values.seconds)))
      }
    }
    const columns: [string, (turn: Turn) => number][] = [
      ['documents/s', ({ rate }) => rate],
      ['p50 ms', ({ latenciesMs }) => quantile(latenciesMs, 0.5)],
      ['CPU ms', ({ cpu }) => sumOf(cpu)],
      ...parts.map((part): [string, (turn: Turn) => number] => [`${part} ms`, ({ cpu }) => cpu[part]]),
    ]
    for (const [column, read] of columns) {
      const [ours = [], theirs = []] = turns.map((some) => some.map(read))
      const ratios = ours.map((value, at) => value / (theirs[at] ?? Number.NaN))
      const shown = [median(ours), median(theirs), median(ratios), quantile(ratios, 0.1), quantile(ratios, 0.9)]
      rows.push([name, String(atOnce), column, ...shown.map(significant)])
    }
  }
}
const afterwards = versions.map(({ pid }) => treePssMb([pid]))
for (const [when, [ours = 0, theirs = 0]] of [
  ['at rest', atRest],
  ['afterwards', afterwards],
] as const) {
  rows.push([`PSS MB ${when}`, '', '', ...[ours, theirs, ours / theirs].map(significant), '', ''])
}
process.stdout.write(
  `${textTable(['document', 'at once', '', 'this', 'other', 'ratio', 'ratio p10', 'ratio p90'], rows)}\n`,
)
