import t from 'tap'
import { seed } from '../support/seed.ts'
import { printOutcome } from './harness/report.ts'
import { runHarness } from './harness/run-harness.ts'

t.setTimeout(1_800_000)

/** The long form is `npm run test:faults -- --engines cluster --generations 2000`. */
t.test(
  'a cluster that loses a node loses nothing, and is done without the node as soon as it has elected',
  async (t) => {
    const outcome = await runHarness({
      seed,
      single: false,
      engines: 'cluster',
      generations: 40,
      ownDisk: false,
      verbs: false,
      costs: false,
      only: [
        'the nats-server that leads the commands is killed',
        'the nats-server that leads the commands is cut off from the others, and not from its clients',
        'the leading node of the event store is suspended',
        'each nats-server is upgraded',
      ],
      settleLimitMs: 120_000,
      say: (line) => t.comment(line),
    })
    const { evidence, verdicts } = outcome
    printOutcome(outcome, (line) => t.comment(line))
    for (const { invariant, title, violations } of verdicts) t.strictSame(violations, [], `${invariant} ${title}`)
    t.ok(
      evidence.faults.every(({ met }) => met),
      JSON.stringify(evidence.faults),
    )
    t.ok(evidence.faults.filter(({ election }) => election).length >= 3)
  },
)
