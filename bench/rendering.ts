import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { findChromium } from '@platen/service-kit/host/find-chromium.ts'
import { benchDocuments } from './documents/documents.ts'
import { checkGate, writeGate } from './gate/run-gate.ts'
import { aboutThisMachine } from './machine/about.ts'
import { readOptions } from './machine/read-options.ts'
import { measureBacklog } from './rendering/backlog.ts'
import { checkDocuments } from './rendering/check-documents.ts'
import { Failures } from './rendering/failures.ts'
import { type HandlebarsShare, handlebarsShare } from './rendering/handlebars-share.ts'
import { openStrategies } from './rendering/open-strategies.ts'
import { runRounds } from './rendering/rounds.ts'
import { soak } from './rendering/soak.ts'
import { backlogTargets, rowTargets, soakTargets } from './rendering/targets.ts'
import { warmUp } from './rendering/warm-up.ts'
import { bestTable } from './report/best-table.ts'
import { renderingChart } from './report/rendering-chart.ts'
import { rowsTable, targetsTable } from './report/rendering-report.ts'
import { openPlaten } from './strategies/running-platen.ts'

const help = `Usage: npm run bench -- [options]

  --quick                  a check of the benchmark in under a minute; the numbers are rough
  --rounds <n>             rounds; each strategy prints each document once per round (5)
  --documents <names>      label,invoice,report,table,chart
  --strategies <letters>   a to h, n: the floor program; j: jsreport, w: WeasyPrint (npm run bench:peers), k: Gotenberg
  --soak <n>               documents in the soak test (500)
  --out <folder>           folder for rendering.json and rendering.svg (bench/results)
  --check                  two minutes: compares ratios and counts with bench/results/gate.json; exit code 1 if one is worse
  --check --write          writes bench/results/gate.json from --runs <n> such runs (5)

GOTENBERG_URL=http://127.0.0.1:3000 adds a running Gotenberg. GOTENBERG_PID is its process, to measure its processor time.
`

const values = readOptions(help, {
  quick: { type: 'boolean', default: false },
  rounds: { type: 'string' },
  soak: { type: 'string' },
  documents: { type: 'string' },
  strategies: { type: 'string' },
  check: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  runs: { type: 'string', default: '5' },
  out: { type: 'string', default: fileURLToPath(new URL('results', import.meta.url)) },
})
const plan = values.quick
  ? { rounds: 1, segmentMs: 200, warmUp: 20, jobs: 1_000, samples: 30, soak: 100, documents: 'invoice,chart' }
  : {
      rounds: 5,
      segmentMs: 1_500,
      warmUp: 400,
      jobs: 10_000,
      samples: 200,
      soak: 500,
      documents: 'label,invoice,report,table,chart',
    }
const rounds = Number(values.rounds ?? plan.rounds)
const wanted = (values.documents ?? plan.documents).split(',')
/** About 12 s each. An odd number: the median is one of them. */
const gateRounds = 7
const say = (text: string) => process.stderr.write(`bench: ${text}\n`)

const chromiumPath = findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? '')
const machine = aboutThisMachine(chromiumPath)
if (machine.loadBefore > machine.cores / 2)
  say(`other processes use this machine (load ${machine.loadBefore}): compare ratios only`)
const failures = new Failures(say)
/** Limits are many times what a part takes on a slow machine. */
const minute = 60_000
if (values.check) {
  const gate = { chromiumPath, machine, rounds: Number(values.rounds ?? gateRounds), say }
  const run = () => (values.write ? writeGate(gate, Number(values.runs)) : checkGate(gate))
  const limitMs = (10 + gate.rounds) * minute * Number(values.write ? values.runs : 1)
  process.exit((await failures.attempt({ name: 'gate', limitMs }, run)) ?? 2)
}
const made = await failures.attempt({ name: 'documents', limitMs: minute }, benchDocuments)
if (!made) process.exit(2)
const documents = made.filter(({ name }) => wanted.includes(name))

const comparison = { name: 'comparison', limitMs: (1 + rounds) * 60 * minute }
const { rows, handlebars } = (await failures.attempt(comparison, compareStrategies)) ?? { rows: [] }
say('backlog: enqueueing, then synchronous requests')
const backlog = await failures.attempt({ name: 'backlog', limitMs: 10 * minute }, () =>
  measureBacklog(plan.jobs, plan.samples),
)
const renders = Number(values.soak ?? plan.soak)
say(`soak test of ${renders} documents`)
const soaked = await failures.attempt({ name: 'soak', limitMs: 5 * minute + renders * 1_000 }, () =>
  soak(
    documents.filter(({ name }) => name !== 'table' && name !== 'report'),
    renders,
  ),
)
const targets = [
  ...rowTargets(rows),
  ...(backlog ? backlogTargets(backlog) : []),
  ...(soaked ? soakTargets(soaked) : []),
]

const loadAfter = loadavg()[0] ?? 0
const result = {
  machine: { ...machine, loadAfter },
  plan: { ...plan, rounds, renders },
  rows,
  targets,
  backlog,
  soak: soaked,
  handlebars,
  failures: failures.all,
}
await mkdir(values.out, { recursive: true })
await writeFile(`${values.out}/rendering.json`, `${JSON.stringify(result, rounded, 2)}\n`)
await writeFile(`${values.out}/rendering.svg`, renderingChart(rows, machine))
process.stdout.write(`${rowsTable(rows, failures.all)}

${bestTable(rows, failures.all)}

${targetsTable(targets)}

${handlebars ? handlebarsLine(handlebars) : ''}
${machine.cores} × ${machine.cpu}, ${machine.chromium}, Node ${machine.node}; load ${machine.loadBefore.toFixed(1)} before, ${loadAfter.toFixed(1)} after.
Written: ${values.out}/rendering.json and rendering.svg. Numbers depend on the machine; compare ratios within a run.
`)
// A part that reached its limit may still be running.
process.exit(failures.all.length > 0 ? 1 : 0)

async function compareStrategies() {
  await using platen = await openPlaten()
  say('comparing the documents with what plain Chromium prints')
  await checkDocuments(platen, documents)
  const bare = { chromiumPath, maxConcurrency: availableParallelism() }
  await using strategies = await openStrategies(bare, platen, failures, say)
  const chosen = strategies.all.filter(({ id }) => (values.strategies ?? id).split(',').includes(id))
  say('warming up')
  // One warm-up is enough for everything that runs in this process.
  for (const strategy of chosen.filter(({ id, inProcess }) => !inProcess || id === 'b')) {
    const { id, name } = strategy
    const attempt = { document: 'warm-up', strategy: id, name, limitMs: 3 * minute }
    await failures.attempt(attempt, () => warmUp([strategy], plan.warmUp))
  }
  return {
    rows: await runRounds(documents, chosen, {
      rounds,
      segmentMs: plan.segmentMs,
      limitMs: 3 * minute,
      failures,
      say,
    }),
    handlebars: await failures.attempt({ name: 'Handlebars', limitMs: 10 * minute }, () =>
      handlebarsShare(platen, plan.samples / 2),
    ),
  }
}

function handlebarsLine({ engineMs, byTemplateMs, share }: HandlebarsShare): string {
  const percent = (share * 100).toFixed(1)
  return `Handlebars: ${engineMs.toFixed(2)} ms of ${byTemplateMs.toFixed(1)} ms, ${percent} % of a request for an invoice by template.`
}

/** Rounds to six significant digits. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(6)) : value
}
