import t from 'tap'
import { seed } from '../support/seed.ts'
import { printOutcome } from './harness/report.ts'
import { runHarness } from './harness/run-harness.ts'

/** The short run of `npm test`. `npm run test:system -- faults` and `npm run test:faults` have many more faults. */
t.test('a Platen that is killed before it records a document loses and doubles nothing', async (t) => {
  const outcome = await runHarness({
    seed,
    single: true,
    engines: 'embedded',
    generations: 5,
    ownDisk: false,
    verbs: false,
    costs: false,
    only: ['a renderer is killed after the file, before the event'],
    settleLimitMs: 120_000,
    say: (line) => t.comment(line),
  })
  const { evidence, verdicts } = outcome
  printOutcome(outcome, (line) => t.comment(line))
  for (const { invariant, title, violations } of verdicts) t.strictSame(violations, [], `${invariant} ${title}`)
  t.strictSame(
    evidence.faults.filter(({ met }) => !met),
    [],
    'each fault was met',
  )
})
