import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { seed } from '../../support/seed.ts'
import { check } from './checker.ts'
import { mutations } from './mutations/all.ts'
import { mutate, root } from './mutations/mutation.ts'
import { networkFaults, processFaults } from './nemesis.ts'
import { powerCutControls } from './power-cut.ts'
import { printOutcome } from './report.ts'
import { runHarness } from './run-harness.ts'
import { spoiledEvidence } from './spoiled-evidence.ts'

t.setTimeout(1_800_000)

/** The long form is `npm run test:faults`. */
t.test('nothing accepted is lost, doubled or stuck under faults, and the checker sees what is', async (t) => {
  const outcome = await runHarness({
    seed,
    single: false,
    engines: 'networked',
    generations: 60,
    only: [
      'a gateway is killed after the PubAck, before its answer',
      'a renderer is killed after the file, before the event',
      'a template service is killed after an append, before its answer',
      'a notifier is killed after a POST, before its event',
      'nats-server is killed and started',
      'connections to NATS are cut',
      'connections to the event store are cut 20 times',
    ],
    settleLimitMs: 120_000,
    say: (line) => t.comment(line),
  })
  const { evidence, verdicts } = outcome
  printOutcome(outcome, (line) => t.comment(line))
  for (const { invariant, title, violations } of verdicts) t.strictSame(violations, [], `${invariant} ${title}`)
  t.ok(evidence.faults.filter(({ met }) => met).length >= 4, JSON.stringify(evidence.faults))

  for (const { what, invariant, spoil } of spoiledEvidence) {
    const spoiled = structuredClone(evidence)
    spoil(spoiled)
    const red = check(spoiled).filter(({ violations }) => violations.length > 0)
    t.ok(
      red.some((verdict) => verdict.invariant === invariant),
      `${what}: ${invariant} is violated, of ${red.map((verdict) => verdict.invariant)}`,
    )
  }
})

t.test('each mutation of --mutations and --power-cut still fits the source', async (t) => {
  t.ok(mutations.length >= 12)
  const faults = new Set([...processFaults, ...networkFaults].map(({ name }) => name))
  const documented = await readFile(join(root, 'docs/understand/what-was-run/faults.md'), 'utf8')
  for (const { guard } of mutations)
    t.ok(documented.includes(`| ${guard} |`), `docs/understand/what-was-run/faults.md has: ${guard}`)
  for (const mutation of [...mutations, ...powerCutControls]) {
    await t.resolves(mutate(mutation), mutation.guard)
    for (const fault of mutation.faults) t.ok(faults.has(fault), fault)
    if (mutation.test !== undefined) await t.resolves(access(join(root, mutation.test)), mutation.test)
  }
})
