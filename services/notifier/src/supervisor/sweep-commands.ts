import { generationStream } from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, evolveGeneration, outcomeOf } from '@platen/domain/generation/generation-state.ts'
import { consumers, renderQueues, renderSubjectIds } from '@platen/domain/streams/subjects.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { load } from '@platen/event-store/handle-command.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { StoredMsg } from 'nats'
import { type Fate, sweepAcknowledged } from './sweep-acknowledged.ts'

export interface SweepCommandsOptions {
  bus: Bus
  store: EventStore
  log: Logger
  signal: AbortSignal
}

/** Commands whose clients have an answer, or an error after the deadline. */
const withoutRecord = [consumers.template, consumers.cancel, consumers.delivery]

/** Removes commands that were acknowledged and are still in COMMANDS. A generation without an end is sent again. */
export async function sweepCommands({ store, signal, ...options }: SweepCommandsOptions): Promise<void> {
  const fold = { initialState: absentGeneration, evolve: evolveGeneration }
  const fateOf = async ({ subject }: StoredMsg): Promise<Fate> => {
    const { generation_id: id } = renderSubjectIds(subject)
    // The command belongs to no generation and was acknowledged: there is nothing to send again.
    if (id === '') return 'done'
    const { state } = await load(store, fold, generationStream(id))
    return outcomeOf(state) ? 'done' : 'lost'
  }
  const sweep = { ...options, stopping: signal }
  for (const queue of renderQueues) await sweepAcknowledged({ ...sweep, consumer: consumers[queue], fateOf })
  for (const consumer of withoutRecord) await sweepAcknowledged({ ...sweep, consumer, fateOf: () => 'done' })
}
