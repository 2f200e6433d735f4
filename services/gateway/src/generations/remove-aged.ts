import { firstIdAt } from '@platen/foundation/runtime/ids.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import type { GenerationView } from '../views/generation-view.ts'

export interface RemoveAged {
  generations: Pick<GenerationView, 'removeAged'>
  /** 0: they are kept forever. */
  retentionDays: number
  log: Logger
  signal: AbortSignal
}

const dayMs = 24 * 3_600_000
const everyMs = 1_000
/** Limits how long requests wait. */
const maxRows = 200
const betweenStepsMs = 20

/**
 * Removes generations from the view of this gateway when they are older than the retention. They stay in the event store,
 * where requests by id find them. Resolves when the signal aborts.
 */
export async function removeAged({ generations, retentionDays, log, signal }: RemoveAged): Promise<void> {
  if (retentionDays === 0) return
  while (!signal.aborted) {
    let removed = 0
    try {
      removed = generations.removeAged(firstIdAt('pdf', Date.now() - retentionDays * dayMs), maxRows)
    } catch (err) {
      log.warn({ err }, 'old generations were not removed from the view, retrying')
    }
    await sleep(removed === maxRows ? betweenStepsMs : everyMs, signal)
  }
}
