import type { Mutation } from './mutations/mutation.ts'
import { runMutations } from './mutations/run-mutations.ts'
import { powerCut } from './nemesis.ts'
import { printOutcome } from './report.ts'
import { type Outcome, runHarness } from './run-harness.ts'

/** Each loses what was acknowledged, which shows that the test would see it. */
export const powerCutControls: readonly Mutation[] = [
  {
    guard: 'nats-server flushes each message',
    file: 'deploy/single-node/src/nats/nats-child.ts',
    find: "const syncAlways = !isOlder(version, '2.10')",
    replace: "const syncAlways = isOlder(version, '2.10')",
    faults: [powerCut],
    invariant: 'I1',
  },
  {
    guard: 'SQLite flushes each commit',
    file: 'shared/event-store/src/adapters/sqlite/schema.ts',
    find: 'PRAGMA synchronous = FULL',
    replace: 'PRAGMA synchronous = OFF',
    faults: [powerCut],
    invariant: 'I7',
    // The file may be damaged.
    fatal: true,
  },
  {
    guard: 'a file is flushed before its event is recorded',
    file: 'shared/object-store/src/adapters/folder/store.ts',
    find: 'await file.sync()',
    replace: '',
    faults: [powerCut],
    invariant: 'I4',
  },
]

export interface PowerCutOptions {
  seed: number
  generations: number
  settleLimitMs: number
  only?: string | undefined
  say: (line: string) => void
}

/** Resolves with the run of the product as it is, and the controls that lost nothing. */
export async function runPowerCuts(options: PowerCutOptions): Promise<{ outcome: Outcome; unseen: string[] }> {
  const { seed, say, only } = options
  const faults = Array.from({ length: only === undefined ? 5 : 1 }, () => powerCut)
  const outcome = await runHarness({ ...options, single: true, engines: 'embedded', only: faults })
  printOutcome(outcome, say)
  if (outcome.evidence.faults.length === 0) return { outcome, unseen: [] }
  say('')
  say('the controls, each without one flush, of which each must violate its invariant:')
  const unseen = await runMutations(powerCutControls, { seed, say, only, args: ['--single', '--engines', 'embedded'] })
  return { outcome, unseen }
}
