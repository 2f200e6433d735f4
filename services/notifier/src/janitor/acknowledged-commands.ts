import { generationStream } from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, evolveGeneration, outcomeOf } from '@platen/domain/generation/generation-state.ts'
import { consumers, renderQueues, renderSubjectIds } from '@platen/domain/streams/subjects.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { load } from '@platen/event-store/handle-command.ts'
import { ask } from '@platen/messaging/connection/ask.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { deleted, found } from '@platen/messaging/streams/streams.ts'
import type { MsgRequest } from 'nats'
import type { Leftover } from './leftovers.ts'

const ofCommands = [...renderQueues, 'template', 'cancel', 'delivery'] as const

/**
 * Commands that their consumer has acknowledged, but that are still in the stream and count as queued. Throws BusUnavailable and the
 * errors of the event store.
 */
export async function* acknowledgedCommands({ bus, store }: { bus: Bus; store: EventStore }): AsyncGenerator<Leftover> {
  for (const { stream, durable, filterSubject: next_by_subj } of ofCommands.map((name) => consumers[name])) {
    const info = await ask(bus, () => found(bus.queries.consumers.info(stream, durable)))
    const last = info?.ack_floor.stream_seq ?? 0
    for (let from = 1; from <= last; ) {
      // The types of the client know this request only for direct gets.
      const request = { next_by_subj, seq: from } as MsgRequest
      const message = await ask(bus, () => found(bus.queries.streams.getMessage(stream, request)))
      if (!message || message.seq > last) break
      const { seq, subject } = message
      from = seq + 1
      const remove = () => ask(bus, () => deleted(bus.queries.streams.deleteMessage(stream, seq, false)))
      if (await isHandled(store, subject)) yield { kind: 'handledCommand', of: subject, remove }
    }
  }
}

/** A generation without an end is left to the supervisor. Clients of other commands have an answer, or an error after the deadline. */
async function isHandled(store: EventStore, subject: string): Promise<boolean> {
  const { generation_id: id } = renderSubjectIds(subject)
  if (id === '') return true
  const fold = { initialState: absentGeneration, evolve: evolveGeneration }
  return outcomeOf((await load(store, fold, generationStream(id))).state) !== undefined
}
