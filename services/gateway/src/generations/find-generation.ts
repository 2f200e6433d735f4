import { GenerationId } from '@platen/domain/generation/generation.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import type { FastifyRequest } from 'fastify'
import { Compile } from 'typebox/compile'
import { apiKeyOf } from '../api-keys/authentication.ts'
import { ownerOf } from '../api-keys/owner-of.ts'
import { type GenerationRecord, isFinal, loadGeneration } from '../views/generation-record.ts'
import type { GenerationView } from '../views/generation-view.ts'
import type { QueuedGenerations } from './queued-generations.ts'

export interface GenerationFinder {
  /** Undefined if the generation belongs to another owner. Throws DependencyUnavailable. */
  find(id: string, caller: Caller): Promise<GenerationRecord | undefined>
  /** Finds a generation of any owner. Throws DependencyUnavailable. */
  findOfAny(id: string): Promise<GenerationRecord | undefined>
  /** Finds a generation of any owner that a renderer has started. Throws DependencyUnavailable. */
  findStarted(id: string): Promise<GenerationRecord | undefined>
}

export interface Caller {
  ownerId: string
  apiKeyId: string
}

export function callerOf(request: FastifyRequest): Caller {
  return { ownerId: ownerOf(request).id, apiKeyId: apiKeyOf(request).id }
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
    findOfAny: async (id) =>
      isId(id)
        ? ((await findStarted(id)) ?? (await queue.findOfAny(id)) ?? (await loadGeneration(store, id)))
        : undefined,
    async find(id, { ownerId }) {
      if (!isId(id)) return undefined
      // A generation that leaves the queue between the first two lookups is in the event store afterwards.
      const found = (await findStarted(id)) ?? (await queue.find(id, ownerId)) ?? (await loadGeneration(store, id))
      return found?.request.owner_id === ownerId ? found : undefined
    },
  }
}

export function generationNotFound(id: string): DomainError {
  return new DomainError('GENERATION_NOT_FOUND', `Generation ${readable(id)} does not exist`)
}
