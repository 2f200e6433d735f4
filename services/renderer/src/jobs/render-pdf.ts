import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, outcomeOf } from '@platen/domain/generation/generation-state.ts'
import type { Priority } from '@platen/domain/streams/subjects.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { Exhausted, Released } from '@platen/messaging/consume/consume.ts'
import type { ActiveJobs } from './active-jobs.ts'
import { bareRequest } from './generation-repository.ts'
import type { RenderCommand } from './parse-render.ts'
import type { PdfFiles } from './pdf-files.ts'
import { type Attempt, type AttemptDependencies, runAttempt } from './run-attempt.ts'
import { ObjectUnusable } from './use-object.ts'

export interface RenderDependencies extends AttemptDependencies {
  pdfs: PdfFiles
  jobs: ActiveJobs
  /** How long a document waits before its next attempt, by the number of attempts that have led to no end. */
  pauseMs?: (earlier: number) => number
}

export interface Delivery {
  priority: Priority
  /** A handler has begun the command before, in this or another renderer, and led to no end. */
  redelivered: boolean
}

/** A document is not started again after this number of attempts, if the last one has failed for an unknown reason. */
export const maxAttempts = 3

/**
 * The most attempts during which a renderer stopped. More than other failures, because most renderers stop for reasons
 * other than the document.
 */
export const maxStops = 5

/**
 * The pause before an attempt, by the number of earlier ones. Without it, a process that is killed soon after each
 * start would have the same documents in progress each time. The attempt is counted after the pause.
 */
const defaultPauseMs = (earlier: number) => [0, 0, 1_000, 4_000, 10_000][earlier] ?? 0

/**
 * The pause before the second attempt after an object could not be used. A store may recover meanwhile, for example
 * when a disk is back.
 */
const unusableMs = 10_000

/**
 * Handles a render command and returns the outcome of the generation. It may run again after a failure at any point,
 * and on two renderers at once: each attempt writes its own file, and one ending is recorded, with the key of its file.
 * The other files are removed.
 */
export async function renderPdf(
  dependencies: RenderDependencies,
  command: RenderCommand,
  delivery: Delivery,
): Promise<GenerationOutcome> {
  const { generations, jobs, pdfs, stopping, pauseMs = defaultPauseMs } = dependencies
  const { generation_id: id, batch } = command.data.request
  if (delivery.redelivered) await jobs.untilEnded(id)
  // The command may arrive after its batch has ended, if its gateway was suspended while it sent items.
  const isLate = batch !== undefined && (await generations.isClosed(batch.id))
  const known = delivery.redelivered || isLate ? await generations.find(id) : absentGeneration
  const ended = outcomeOf(known)
  if (ended) return ended
  if (isLate && known.status === 'absent') {
    const job = { id, request: bareRequest(command.data.request), cause: command }
    return generations.end(job, { type: 'CancelGeneration' })
  }
  // A start that ended at once is not recorded.
  const earlier = known.status === 'rendering' ? known.attempts : Number(delivery.redelivered)
  if (earlier >= maxStops) throw new Exhausted('too many attempts', { cause: stoppedEachTime })
  const attempt: Attempt = { file: pdfs.open(id), mayBeRecorded: false }
  try {
    const outcome = await jobs.run(id, async (cancelled) => {
      const pause = pauseMs(earlier)
      if (pause > 0) await sleep(pause, AbortSignal.any([cancelled, stopping]))
      return runAttempt(attempt, dependencies, { command, ...delivery, cancelled })
    })
    attempt.mayBeRecorded = outcome.type === 'GenerationCompleted' && outcome.data.object_key === attempt.file.key
    return outcome
  } catch (err) {
    const mayRepeat = err instanceof Released || err instanceof DependencyUnavailable
    if (err instanceof ObjectUnusable && earlier + 1 < maxAttempts) {
      throw new Released(err.message, { cause: err, delayMs: unusableMs * 3 ** earlier })
    }
    if (mayRepeat || earlier + 1 < maxAttempts) throw err
    throw new Exhausted('too many attempts', { cause: err })
  } finally {
    if (!attempt.mayBeRecorded) pdfs.discard(attempt.file)
  }
}

export const stoppedEachTime = new Error('the renderer stopped while it rendered the document')
