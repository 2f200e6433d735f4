import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from '../evidence.ts'
import type { System } from '../system.ts'
import type { Workload } from '../workload.ts'

/** A fault of one node of a cluster, with what was seen while it lasted. In ms since 1970. */
export interface Election {
  /** The other nodes have leaders. */
  electedMs: number
  /** Each gateway has done every kind of work since then, while the node is still away. Null: it did not. */
  recoveredMs: number | null
  /** The node was let back. */
  liftedMs: number
  /** Leaders were elected once more meanwhile, as on a machine that stands still for seconds. */
  again: boolean
}

export const isElection = (seen: unknown): seen is Election =>
  typeof seen === 'object' && seen !== null && 'electedMs' in seen

/** What needs every part of a cluster: documents, asynchronous ones, and a change that is read back. */
const work: readonly ((answer: Answer) => boolean)[] = [
  ({ operation, status }) => operation === 'generate' && status === 200,
  ({ operation, status }) => operation === 'generate' && status === 202,
  ({ operation, status }) => operation === 'updateTemplate' && status === 200,
]

/** Far longer than an election, on any machine. */
const recoverWithinMs = 120_000

/** Resolves with the time at which each gateway has done all work that was sent after `sinceMs`; null if that does not happen. */
export async function untilRecovered(
  { gateways }: System,
  { answers }: Workload['client'],
  sinceMs: number,
): Promise<number | null> {
  for (const until = Date.now() + recoverWithinMs; Date.now() < until; await delay(100)) {
    const since = answers.filter(({ atMs }) => atMs >= sinceMs)
    const isDone = gateways.every(({ name }) =>
      work.every((isOf) => since.some((answer) => answer.gateway === name && isOf(answer))),
    )
    if (isDone) return Date.now()
  }
  return null
}
