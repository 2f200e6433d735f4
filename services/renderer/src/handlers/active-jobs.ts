import { commandSubjects } from '@platen/shared/contracts/subjects.ts'
import type { NatsConnection } from 'nats'

/** The reason with which a cancelled job's signal aborts. */
export class JobCancelled extends Error {
  override readonly name = 'JobCancelled'
}

/** The jobs in hand here, each of which a cancel command stops at once. */
export interface ActiveJobs extends Disposable {
  run<Result>(generationId: string, job: (signal: AbortSignal) => Promise<Result>): Promise<Result>
}

/**
 * Every renderer hears every cancel command on the subject itself, beside the one that consumes it from the queue: the
 * one that holds the job may be another.
 */
export function openActiveJobs(nats: NatsConnection): ActiveJobs {
  const jobs = new Map<string, AbortController>()
  const subscription = nats.subscribe(commandSubjects.cancel('*'), {
    callback: (_, message) => jobs.get(message.subject.split('.').at(-1) ?? '')?.abort(new JobCancelled()),
  })
  return {
    async run(generationId, job) {
      const controller = new AbortController()
      jobs.set(generationId, controller)
      try {
        return await job(controller.signal)
      } finally {
        jobs.delete(generationId)
      }
    },
    [Symbol.dispose]: () => subscription.unsubscribe(),
  }
}
