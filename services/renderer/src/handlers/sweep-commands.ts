import { outcomeOf } from '@platen/shared/contracts/generation-state.ts'
import { consumers, renderQueues, renderSubjectIds } from '@platen/shared/contracts/subjects.ts'
import type { Bus } from '@platen/shared/messaging/connection/bus.ts'
import { sweepAcknowledged } from '@platen/shared/messaging/consume/sweep-acknowledged.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import type { GenerationRepository } from './generation-repository.ts'

export interface SweepCommandsOptions {
  bus: Bus
  generations: Pick<GenerationRepository, 'find'>
  log: Logger
  stopping: AbortSignal
}

/** Removes commands of earlier runs that were acknowledged and are still in COMMANDS. A generation without an end is lost. */
export async function sweepCommands({ generations, ...options }: SweepCommandsOptions): Promise<void> {
  const { log } = options
  try {
    for (const queue of renderQueues) {
      await sweepAcknowledged({
        ...options,
        consumer: consumers[queue],
        async fateOf({ subject }) {
          const state = await generations.find(renderSubjectIds(subject).generation_id)
          return outcomeOf(state) ? 'done' : 'lost'
        },
      })
    }
    await sweepAcknowledged({ ...options, consumer: consumers.cancel, fateOf: () => 'done' })
  } catch (err) {
    log.warn({ err }, 'acknowledged commands not swept; the next start tries again')
  }
}
