import { CancelGeneration } from '@platen/shared/contracts/generation.ts'
import { commandSubjects } from '@platen/shared/contracts/subjects.ts'
import { commandParser } from '@platen/shared/messaging/command-codec.ts'
import type { NatsConnection, Subscription } from 'nats'

const parseCancel = commandParser(CancelGeneration)

/** The reason with which the signal of a cancelled job aborts. */
export class JobCancelled extends Error {
  override readonly name = 'JobCancelled'
}

/**
 * The jobs that this renderer is running, which a cancel command stops. Every renderer subscribes to the subject of the
 * commands, because the renderer that consumes a command from the queue need not be the one that runs the job.
 */
export class ActiveJobs implements Disposable {
  readonly #jobs = new Map<string, AbortController>()
  readonly #subscription: Subscription

  constructor(nats: NatsConnection) {
    this.#subscription = nats.subscribe(commandSubjects.cancel('*'), {
      callback: (_, { data }) => this.#jobs.get(generationToCancel(data) ?? '')?.abort(new JobCancelled()),
    })
  }

  async run<Result>(generationId: string, job: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController()
    this.#jobs.set(generationId, controller)
    try {
      return await job(controller.signal)
    } finally {
      this.#jobs.delete(generationId)
    }
  }

  [Symbol.dispose](): void {
    this.#subscription.unsubscribe()
  }
}

/**
 * Undefined for a message that is not a command. A subscriber of the events may not publish commands, but can have JetStream
 * deliver a message to the subject of a cancel command.
 */
function generationToCancel(data: Uint8Array): string | undefined {
  try {
    return parseCancel(data).data.request.generation_id
  } catch {
    return undefined
  }
}
