import type { GenerationRequest } from '@platen/domain/generation/generation.ts'
import {
  type GenerationEvent,
  type GenerationOutcome,
  generationStream,
} from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, evolveGeneration, type GenerationState } from '@platen/domain/generation/generation-state.ts'
import { load } from '@platen/event-store/handle-command.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { defined } from '@platen/foundation/json/defined.ts'

type Started = Exclude<GenerationState, { status: 'absent' }>

/** A queued generation, known from its command, or a started one, known from its events. */
export interface GenerationRecord {
  request: GenerationRequest
  state: { status: 'queued' } | Started
}

/** Undefined until a renderer has started the generation. */
export function generationRecord(id: string, state: GenerationState): GenerationRecord | undefined {
  if (state.status === 'absent') return undefined
  const { owner_id, api_key_id, template, metadata, file_name, webhook_url, file_webhook } = state.request
  const { batch, retry_of, operation, kept_input } = state.request
  const request = {
    generation_id: id,
    owner_id,
    api_key_id,
    ...defined({ template, metadata, file_name, webhook_url, file_webhook, batch, retry_of, operation, kept_input }),
  }
  return { request, state }
}

/** The record after the outcome, before a view or the event store shows it. */
export function recordOfOutcome(request: GenerationRequest, outcome: GenerationOutcome): GenerationRecord {
  const { owner_id, api_key_id } = request
  const known = { owner_id, api_key_id }
  switch (outcome.type) {
    case 'GenerationCompleted':
      return { request, state: { status: 'completed', request: known, result: outcome.data } }
    case 'GenerationFailed':
      return { request, state: { status: 'failed', request: known, failure: outcome.data } }
    case 'GenerationCancelled':
      return { request, state: { status: 'cancelled', request: known } }
  }
}

export function isFinal({ state }: GenerationRecord): boolean {
  return state.status !== 'queued' && state.status !== 'rendering'
}

/** Whether no renderer has taken the generation, because its client would have waited in vain. */
export function wasRefused(record: GenerationRecord | undefined): boolean {
  return record?.state.status === 'failed' && record.state.failure.code === 'QUEUE_FULL'
}

/** Reads the event store, which is never behind. */
export async function loadGeneration(store: StreamReader, id: string): Promise<GenerationRecord | undefined> {
  const fold = { initialState: absentGeneration, evolve: evolveGeneration }
  const { state } = await load<GenerationState, GenerationEvent>(store, fold, generationStream(id))
  return generationRecord(id, state)
}
