import { writeSync } from 'node:fs'
import type { Machine } from '../machine/about.ts'
import { aboutCommitted, aboutOthers, gateTable } from '../report/gate-report.ts'
import { type CommittedResult, commitRuns, readCommitted, writeCommitted } from './committed.ts'
import { type Comparison, compare, mostMargin, spreadOf } from './compare.ts'
import { countWork } from './count-work.ts'
import type { Figure } from './figure.ts'
import { openPrintRounds } from './print-rounds.ts'

export interface GateOptions {
  chromiumPath: string
  machine: Machine
  rounds: number
  say(text: string): void
}

/** More than this, and a ratio of times says which program had the processor rather than which needs less. */
const busyShare = 0.1

/**
 * Resolves with the exit code. 1: a figure is worse than its limit in two measurements. 2: no verdict, because the
 * machine was busy, a figure could not be measured here, or nothing is committed.
 */
export async function checkGate(options: GateOptions): Promise<number> {
  const committed = await readCommitted()
  if (!committed) {
    options.say('there is no committed result; --check --write writes one')
    return 2
  }
  const { comparisons, others } = await lookTwice(options, committed)
  const worse = comparisons.filter(({ verdict }) => verdict === 'WORSE')
  const better = comparisons.filter(({ verdict }) => verdict === 'better')
  const missing = Object.keys(committed.figures).filter((name) => !comparisons.some((one) => one.name === name))
  const isUnsure = worse.length > 0 && worse.every(isOfTime) && others > busyShare
  const lines = [
    ...[gateTable(comparisons), '', aboutCommitted(committed), aboutOthers(others)],
    ...(missing.length > 0 ? [`Not measured here: ${missing.join('; ')}.`] : []),
    ...(better.length > 0
      ? [`${better.length} better than the margin: commit a new result (--check --write), so that it is kept.`]
      : []),
    worse.length > 0 ? `WORSE: ${worse.map(({ name }) => name).join('; ')}` : 'Nothing is worse than its limit.',
    ...(isUnsure ? ['The machine was too busy to tell: repeat it when nothing else runs.'] : []),
  ]
  writeSync(1, `${lines.join('\n')}\n`)
  if (worse.length > 0) return isUnsure ? 2 : 1
  return missing.length > 0 ? 2 : 0
}

/** Other programs on the machine change these figures. */
const isOfTime = ({ kind }: Comparison) => kind !== 'count'

/** Measures a figure that is worse than its limit a second time, for as long, and judges it by all rounds. */
async function lookTwice({ chromiumPath, rounds, say }: GateOptions, { figures }: CommittedResult) {
  const compareAll = (seen: readonly Figure[]): Comparison[] => seen.map((one) => compare(one, figures[one.name]))
  const isWorse = ({ verdict }: Comparison) => verdict === 'WORSE'
  say('counting')
  let counts = compareAll(await countWork(say))
  if (counts.some(isWorse)) {
    say('counting again, because a number was worse')
    counts = compareAll(await countWork(say))
  }
  await using printing = await openPrintRounds(chromiumPath, say)
  let others = await printing.run(rounds)
  const first = compareAll(printing.figures())
  const again = new Set(first.filter(isWorse).map(({ name }) => name.split(':')[0] ?? ''))
  if (again.size > 0) {
    say(`measuring again: ${[...again].join(', ')}`)
    others = Math.max(others, await printing.run(rounds + 1, [...again]))
  }
  return { comparisons: [...compareAll(printing.figures()), ...counts], others }
}

/** Runs the gate several times, and writes the medians and the runs. Resolves with the exit code. */
export async function writeGate(options: GateOptions, runs: number): Promise<number> {
  const { machine, say } = options
  const all: Figure[][] = []
  const usedByOthers: number[] = []
  for (let run = 1; run <= runs; run++) {
    say(`run ${run} of ${runs}`)
    const { figures, others } = await runOnce(options)
    all.push(figures)
    usedByOthers.push(others)
  }
  const result = { machine, usedByOthers, figures: commitRuns(all) }
  const path = await writeCommitted(result)
  const shown = (all.at(-1) ?? []).map((one) => compare(one, result.figures[one.name]))
  const wild = Object.entries(result.figures).filter(([, one]) => 2.5 * spreadOf(one) > mostMargin)
  const lines = [
    ...[gateTable(shown), '', aboutCommitted(result), `Written: ${path}`],
    ...(wild.length > 0
      ? [
          `Too different between the runs, write it again on a quieter machine: ${wild.map(([name]) => name).join('; ')}`,
        ]
      : []),
  ]
  writeSync(1, `${lines.join('\n')}\n`)
  return 0
}

async function runOnce({ chromiumPath, rounds, say }: GateOptions): Promise<{ figures: Figure[]; others: number }> {
  const counts = await countWork(say)
  await using printing = await openPrintRounds(chromiumPath, say)
  const others = await printing.run(rounds)
  return { figures: [...printing.figures(), ...counts], others }
}
