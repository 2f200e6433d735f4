import type { GenerationEvent, GenerationRequest } from '@platen/shared/contracts/generation.ts'
import { absentGeneration, evolveGeneration, type GenerationState } from '@platen/shared/contracts/generation-state.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { load } from '@platen/shared/event-store/handle-command.ts'

type Started = Exclude<GenerationState, { status: 'absent' }>

/** A generation as the gateway knows it: queued as its command tells, later as its stream does. */
export interface GenerationRecord {
  request: GenerationRequest
  state: { status: 'queued' } | Started
}

/** Undefined while no renderer has taken it. */
export function generationRecord(id: string, state: GenerationState): GenerationRecord | undefined {
  if (state.status === 'absent') return undefined
  const { api_key_id, template, webhook_url } = state.request
  const request = {
    generation_id: id,
    api_key_id,
    ...(template !== undefined && { template }),
    ...(webhook_url !== undefined && { webhook_url }),
  }
  return { request, state }
}

export function isFinal({ state }: GenerationRecord): boolean {
  return state.status !== 'queued' && state.status !== 'rendering'
}

/** As the truth has it, without the delay of a view. */
export async function loadGeneration(store: EventStore, id: string): Promise<GenerationRecord | undefined> {
  const fold = { initialState: absentGeneration, evolve: evolveGeneration }
  const { state } = await load<GenerationState, GenerationEvent>(store, fold, `generation-${id}`)
  return generationRecord(id, state)
}
