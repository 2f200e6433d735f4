import type { Generation, GenerationRequest, RenderPdf } from '@platen/domain/generation/generation.ts'
import { generationStream } from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, evolveGeneration, type GenerationState } from '@platen/domain/generation/generation-state.ts'
import { commandSubjects, streams } from '@platen/domain/streams/subjects.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { load } from '@platen/event-store/handle-command.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { found } from '@platen/messaging/streams/streams.ts'

export async function readGeneration(store: EventStore, id: string): Promise<GenerationState> {
  if (!/^pdf_[0-9a-z]{26}$/.test(id)) throw new Error(`${id} is not an id of a generation, pdf_…`)
  const fold = { initialState: absentGeneration, evolve: evolveGeneration }
  return (await load(store, fold, generationStream(id))).state
}

/** The request as a command has it. */
export function requestOf(id: string, state: GenerationState): GenerationRequest | undefined {
  if (state.status === 'absent') return undefined
  const { html_sha256: _, options: __, input_key: ___, ...request } = state.request
  return { generation_id: id, ...request } as GenerationRequest
}

/** The command of a generation that has not ended. */
export async function queuedCommand({ jsm }: Bus, id: string): Promise<Envelope<RenderPdf> | undefined> {
  const last_by_subj = commandSubjects.renderOne('*', id)
  const message = await found(jsm.streams.getMessage(streams.commands, { last_by_subj }))
  return message?.json<Envelope<RenderPdf>>()
}

/** How a generation stands; undefined if nobody has requested it. */
export async function statusOf(store: EventStore, bus: Bus, id: string): Promise<Generation['status'] | undefined> {
  const recorded = async () => {
    const { status } = await readGeneration(store, id)
    return status === 'absent' ? undefined : status
  }
  // One that leaves the queue between the first two reads is in the event store afterwards.
  return (await recorded()) ?? ((await queuedCommand(bus, id)) ? 'queued' : recorded())
}
