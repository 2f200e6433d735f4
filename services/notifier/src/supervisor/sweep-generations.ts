import type { GenerationRequest } from '@platen/domain/generation/generation.ts'
import { generationStream } from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, evolveGeneration, outcomeOf } from '@platen/domain/generation/generation-state.ts'
import type { Failure } from '@platen/domain/http/failure.ts'
import { renderSubjectIds } from '@platen/domain/streams/subjects.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { load } from '@platen/event-store/handle-command.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import type { RepairingView } from '../schedule/repairing-view.ts'
import { failGeneration } from './fail-generation.ts'
import type { OpenGenerations, SeenCommand } from './open-generations.ts'
import type { QueuedCommands } from './queued-commands.ts'

export interface SupervisorLimits {
  /** A generation that has not started and whose command has left the queue for this time is lost. */
  lostAfterMs: number
  /** A generation that has started, and whose command has left the queue, is lost after this time. */
  orphanAfterMs: number
  /** A generation fails after this time in the queue. */
  overdueAfterMs: number
}

export interface SweepGenerations {
  store: EventStore
  view: RepairingView<OpenGenerations>['view']
  commands: QueuedCommands
  limits: SupervisorLimits
  /** Generations whose dead letter was checked before. */
  deadLettered: Set<string>
  log: Logger
  signal: AbortSignal
}

/** Bounds the reads of one sweep. */
const maxReads = 1_000

/**
 * Ends generations that no renderer will end: those whose command was lost, whose renderer has stopped, that are dead
 * letters, or that are queued for too long. Removes dead letters of documents that were rendered again. `nowMs`: the time of NATS, whose
 * messages say since when they wait.
 */
export async function sweepGenerations(sweep: SweepGenerations, nowMs: number): Promise<void> {
  const { view, commands, limits, signal } = sweep
  const queued = await commands.queued()
  view.saw(queued, nowMs)
  for (const { id, subject } of view.unread(maxReads)) {
    if (signal.aborted) return
    const command = await commands.read(subject)
    if (command) view.setRequest(id, JSON.stringify(command.request), command.sinceMs)
    else if (!queued.has(id)) view.setRequest(id, JSON.stringify(renderSubjectIds(subject)), nowMs)
  }
  for (const seen of view.waitingSince(nowMs - limits.overdueAfterMs, nowMs, maxReads)) {
    if (signal.aborted) return
    await end(sweep, requestOf(seen), overdue, nowMs)
    await commands.delete(seen.subject)
    view.forget(seen.id)
  }
  for (const seen of view.missingSince(nowMs - limits.lostAfterMs, maxReads)) {
    if (signal.aborted) return
    // A generation that has started is in the other table.
    if ((await stateOf(sweep, seen.id)).status === 'absent') await end(sweep, requestOf(seen), lost, nowMs)
    view.forget(seen.id)
  }
  for (const id of view.startedBefore(nowMs - limits.orphanAfterMs, maxReads)) {
    if (signal.aborted) return
    // The request is in the first event.
    const request = { generation_id: id, owner_id: 'unknown', api_key_id: 'unknown' }
    if (!queued.has(id)) await end(sweep, request, abandoned, nowMs)
  }
  await sweepDeadLetters(sweep, nowMs)
}

const lost: Failure = {
  code: 'INTERNAL_ERROR',
  message: 'The request was lost before it was rendered; request the PDF again',
}
const abandoned: Failure = {
  code: 'INTERNAL_ERROR',
  message: 'The renderer has stopped and its work was lost; request the PDF again',
}
const overdue: Failure = { code: 'RENDER_TIMEOUT', message: 'No renderer was free before the deadline' }

async function sweepDeadLetters(sweep: SweepGenerations, nowMs: number): Promise<void> {
  const { view, commands, deadLettered, log, signal } = sweep
  // Read first: the letters of those that have ended are among the letters that are read then.
  const retries = view.endedRetries()
  const dead = await commands.dead()
  for (const [id, subject] of dead) {
    if (signal.aborted) return
    if (deadLettered.has(id)) continue
    try {
      const letter = outcomeOf(await stateOf(sweep, id)) ? undefined : await commands.deadRequest(subject)
      const message = `The generation failed too often: ${letter?.reason}`
      if (letter) await end(sweep, letter.request, { code: 'INTERNAL_ERROR', message }, nowMs)
    } catch (err) {
      if (err instanceof DependencyUnavailable || signal.aborted) throw err
      // Anybody who may publish can write a subject without a generation. It must not keep others from their end.
      log.warn(
        { err, subject },
        'a dead letter is of no generation and is left; see platen dead-letters list, dead-letters drop',
      )
    }
    deadLettered.add(id)
  }
  for (const { id, retryOf, failed } of retries) {
    if (signal.aborted) return
    if (dead.has(retryOf)) {
      // The letter may have the only copy of the input. If the new generation is a dead letter, too, that one stands for both.
      if (failed && !dead.has(id)) continue
      await commands.dropDead(retryOf)
      log.info({ generation: retryOf, rendered_as: id }, 'dead letter removed, as its document was rendered again')
    }
    view.forgetRetry(id)
  }
}

async function end({ store, log }: SweepGenerations, request: GenerationRequest, failure: Failure, nowMs: number) {
  const outcome = await failGeneration(store, { request, failure, nowMs })
  if (outcome?.type !== 'GenerationFailed' || outcome.data.message !== failure.message) return
  log.error({ generation: request.generation_id, failure }, 'generation ended by the supervisor')
}

function requestOf({ request, subject }: SeenCommand): GenerationRequest {
  return request === undefined ? renderSubjectIds(subject) : JSON.parse(request)
}

async function stateOf({ store }: SweepGenerations, id: string) {
  const fold = { initialState: absentGeneration, evolve: evolveGeneration }
  return (await load(store, fold, generationStream(id))).state
}
