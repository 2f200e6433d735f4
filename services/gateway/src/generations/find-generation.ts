import { GenerationId } from '@platen/shared/contracts/generation.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { DependencyUnavailable, DomainError } from '@platen/shared/runtime/errors.ts'
import { Compile } from 'typebox/compile'
import { type GenerationRecord, isFinal, loadGeneration } from './generation-record.ts'
import type { GenerationView } from './generation-view.ts'
import type { QueuedGenerations } from './queued-generations.ts'

export interface FindGeneration {
  /** The key's own; undefined for any other. Throws DependencyUnavailable. */
  find(id: string, apiKeyId: string): Promise<GenerationRecord | undefined>
  /** Whosever it is, once a renderer has taken it. */
  findStarted(id: string): Promise<GenerationRecord | undefined>
}

export interface FindGenerationOptions {
  view: GenerationView
  queue: QueuedGenerations
  store: EventStore
}

const generationId = Compile(GenerationId)

export function generationFinder({ view, queue, store }: FindGenerationOptions): FindGeneration {
  /** A view may lag behind what its client was told, but what it calls final is final. */
  const findStarted = async (id: string) => {
    const viewed = view.find(id)
    if (viewed && isFinal(viewed)) return viewed
    try {
      return (await loadGeneration(store, id)) ?? viewed
    } catch (err) {
      if (viewed && err instanceof DependencyUnavailable) return viewed
      throw err
    }
  }
  const known = (id: string) => generationId.Check(id)
  return {
    findStarted: async (id) => (known(id) ? findStarted(id) : undefined),
    async find(id, apiKeyId) {
      if (!known(id)) return undefined
      // It may leave the queue between the first two looks, and is in the store then.
      const found = (await findStarted(id)) ?? (await queue.find(apiKeyId, id)) ?? (await loadGeneration(store, id))
      return found?.request.api_key_id === apiKeyId ? found : undefined
    },
  }
}

export function noGeneration(id: string): DomainError {
  return new DomainError('GENERATION_NOT_FOUND', `No generation ${id.slice(0, 100)}`)
}
