import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { clusterFaults } from './cluster/faults.ts'
import { mutations } from './mutations/all.ts'
import { runMutations } from './mutations/run-mutations.ts'
import { networkFaults, processFaults } from './nemesis.ts'
import { runPowerCuts } from './power-cut.ts'
import { printOutcome, summary } from './report.ts'
import { runRolling } from './rolling/run-rolling.ts'
import { type Outcome, runHarness } from './run-harness.ts'

const help = `usage: npm run test:faults -- [options]

  --generations N   the least number of generations (default 10000)
  --seed N          repeats the choices of an earlier run (default: random)
  --engines E       networked (default): EventStoreDB and S3, fakes unless ESDB_TEST_URL and S3_TEST_URL are set
                    embedded: SQLite and a folder
                    cluster: three nats-servers, three nodes of a fake EventStoreDB, and a fake S3: a node is lost at a time
  --single          all services in one process, instead of two processes of each
  --faults A;B      only these faults, in this order (default: each once, in random order)
  --list            print the names of the faults
  --settle S        the limit for everything to end after the faults, in seconds (default 60)
  --patience X      multiplies the time of faults that last (default 1)
  --report FILE     writes the result as JSON
  --evidence FILE   writes everything that was compared as JSON
  --mutations       take the guards out of a copy of the source, one after the other: the checker must see each
  --power-cut       cut the power of one process on a disk of its own, and of controls that do not flush (root on Linux)
  --rolling N       N runs in which processes are stopped and killed one at a time: no request may be answered with a 5xx
  --guard A;B       only the mutations or controls of guards with one of these texts
  --tests           with --mutations: no faults, but the tests that are named beside them
  --together        with --mutations: all chosen guards at once, in one run
  --no-verbs        no verbs of the command line beside the clients
  --no-costs        no measurement of what requests on old aggregates cost
  --no-disk         no disk of its own, and no faults of it
`

const { values } = parseArgs({
  options: {
    generations: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engines: { type: 'string', default: 'networked' },
    single: { type: 'boolean', default: false },
    faults: { type: 'string' },
    settle: { type: 'string', default: '60' },
    patience: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
    report: { type: 'string' },
    evidence: { type: 'string' },
    mutations: { type: 'boolean', default: false },
    'power-cut': { type: 'boolean', default: false },
    rolling: { type: 'string' },
    guard: { type: 'string' },
    tests: { type: 'boolean', default: false },
    together: { type: 'boolean', default: false },
    'no-verbs': { type: 'boolean', default: false },
    'no-costs': { type: 'boolean', default: false },
    'no-disk': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const engineKinds = ['embedded', 'networked', 'cluster'] as const
const say = (line: string) => console.log(line)
const seed = Number(values.seed)
const engines = engineKinds.find((kind) => kind === values.engines) ?? 'networked'
const settleLimitMs = 1_000 * Number(values.settle)

async function write(outcome: Outcome) {
  if (values.report) await writeFile(values.report, `${JSON.stringify(summary(outcome), undefined, 2)}\n`)
  if (values.evidence) await writeFile(values.evidence, JSON.stringify(outcome.evidence))
}

const exitCode = (right: boolean) => {
  process.exitCode = right ? 0 : 1
}
const isGreen = ({ verdicts }: Outcome) => verdicts.every(({ violations }) => violations.length === 0)

if (values.help) say(help)
else if (values.list) for (const { name } of [...processFaults, ...networkFaults, ...clusterFaults]) say(name)
else if (values.mutations) {
  const mode = values.tests ? 'tests' : values.together ? 'together' : 'each'
  exitCode((await runMutations(mutations, { seed, say, only: values.guard, mode })).length === 0)
} else if (values.rolling !== undefined)
  exitCode(await runRolling({ seed, runs: Number(values.rolling), engines, say }))
else if (values['power-cut']) {
  const { outcome, unseen } = await runPowerCuts({ seed, generations: 100, settleLimitMs, only: values.guard, say })
  await write(outcome)
  exitCode(isGreen(outcome) && unseen.length === 0)
} else {
  const outcome = await runHarness({
    seed,
    settleLimitMs,
    engines,
    single: values.single,
    generations: Number(values.generations),
    patience: Number(values.patience),
    ownDisk: !values['no-disk'],
    verbs: !values['no-verbs'],
    costs: !values['no-costs'],
    ...(values.faults !== undefined && { only: values.faults.split(';').filter((name) => name !== '') }),
    say: (line) => say(`${new Date().toISOString().slice(11, 19)} ${line}`),
  })
  printOutcome(outcome, say)
  await write(outcome)
  exitCode(isGreen(outcome))
}
