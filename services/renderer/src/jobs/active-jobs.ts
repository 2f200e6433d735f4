import { CancelGeneration } from '@platen/domain/generation/generation.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import { isPastDeadline } from '@platen/foundation/command.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { commandParser } from '@platen/messaging/envelopes/command-codec.ts'
import type { Subscription } from 'nats'

const parseCancel = commandParser(CancelGeneration)

/** The reason with which the signal of a cancelled job aborts. */
export class JobCancelled extends Error {
  override readonly name = 'JobCancelled'
}

/** A command that was cancelled while it was queued may be delivered long after. */
const maxRemembered = 10_000

interface Job {
  controller: AbortController
  ended: Promise<unknown>
}

/**
 * The jobs of this renderer, which a cancel command aborts. Every renderer subscribes to the subject of the cancel
 * commands, because the renderer that consumes a command from the queue need not be the one that runs the job.
 */
export class ActiveJobs implements Disposable {
  /** Two deliveries of one command may overlap. */
  readonly #jobs = new Map<string, Set<Job>>()
  readonly #cancelled = new LruCache<true>({ maxCount: maxRemembered, maxWeight: Number.POSITIVE_INFINITY })
  readonly #subscription: Subscription

  constructor({ nats, clock }: Pick<Bus, 'nats' | 'clock'>) {
    this.#subscription = nats.subscribe(commandSubjects.cancel('*'), {
      callback: (_, { data }) => this.#cancel(generationToCancel(data, clock.now())),
    })
  }

  /**
   * Resolves when the running jobs of this generation have ended. If this process was suspended, the command is
   * delivered again although its job is still running.
   */
  async untilEnded(generationId: string): Promise<void> {
    await Promise.all([...(this.#jobs.get(generationId) ?? [])].map(({ ended }) => ended))
  }

  async run<Result>(generationId: string, job: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController()
    if (this.#cancelled.get(generationId)) controller.abort(new JobCancelled())
    const result = job(controller.signal)
    const own: Job = { controller, ended: result.catch(() => {}) }
    const running = this.#jobs.get(generationId) ?? new Set()
    this.#jobs.set(generationId, running.add(own))
    try {
      return await result
    } finally {
      running.delete(own)
      if (running.size === 0) this.#jobs.delete(generationId)
    }
  }

  #cancel(generationId: string | undefined): void {
    if (generationId === undefined) return
    this.#cancelled.set(generationId, true)
    for (const { controller } of this.#jobs.get(generationId) ?? []) controller.abort(new JobCancelled())
  }

  [Symbol.dispose](): void {
    this.#subscription.unsubscribe()
  }
}

/**
 * The generation to cancel. Undefined after the command's deadline, and for a message that is not a command: a
 * subscriber may not publish commands, but can make JetStream deliver a message to the subject.
 */
function generationToCancel(data: Uint8Array, nowMs: number): string | undefined {
  try {
    const command = parseCancel(data)
    return isPastDeadline(command.metadata, nowMs) ? undefined : command.data.request.generation_id
  } catch {
    return undefined
  }
}
