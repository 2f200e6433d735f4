import { GenerationId } from '@platen/shared/contracts/generation.ts'
import type { StreamReader } from '@platen/shared/event-store/read-in-time.ts'
import { DomainError } from '@platen/shared/runtime/errors.ts'
import { Compile } from 'typebox/compile'
import { type GenerationRecord, isFinal, loadGeneration } from './generation-record.ts'
import type { GenerationView } from './generation-view.ts'
import type { QueuedGenerations } from './queued-generations.ts'

export interface GenerationFinder {
  /** Undefined if the generation belongs to another API key. Throws DependencyUnavailable. */
  find(id: string, apiKeyId: string): Promise<GenerationRecord | undefined>
  /** For any API key, once a renderer has started the generation. Throws DependencyUnavailable. */
  findStarted(id: string): Promise<GenerationRecord | undefined>
}

export interface GenerationFinderOptions {
  view: GenerationView
  queue: QueuedGenerations
  store: StreamReader
}

const generationId = Compile(GenerationId)

export function generationFinder({ view, queue, store }: GenerationFinderOptions): GenerationFinder {
  /** The view may lag behind, but a final state in it cannot change. */
  const findStarted = async (id: string) => {
    const viewed = view.find(id)
    return viewed && isFinal(viewed) ? viewed : await loadGeneration(store, id)
  }
  const isId = (id: string) => generationId.Check(id)
  return {
    findStarted: async (id) => (isId(id) ? findStarted(id) : undefined),
    async find(id, apiKeyId) {
      if (!isId(id)) return undefined
      // A generation that leaves the queue between the first two lookups is in the event store afterwards.
      const found = (await findStarted(id)) ?? (await queue.find(apiKeyId, id)) ?? (await loadGeneration(store, id))
      return found?.request.api_key_id === apiKeyId ? found : undefined
    },
  }
}

export function generationNotFound(id: string): DomainError {
  return new DomainError('GENERATION_NOT_FOUND', `Generation ${id.slice(0, 100)} does not exist`)
}
