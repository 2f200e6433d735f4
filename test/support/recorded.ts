import { apiKeyId } from '@platen/domain/api-key/api-keys.ts'
import type { Generation } from '@platen/domain/generation/generation.ts'
import type { GenerationEvent } from '@platen/domain/generation/generation-events.ts'
import { absentGeneration, evolveGeneration, outcomeOf } from '@platen/domain/generation/generation-state.ts'
import type { Unreadable } from '@platen/event-store/decider.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { history } from '@platen/event-store/history.ts'
import type { Fleet } from './fleet.ts'

/** A generation as recorded in the event store. */
export interface RecordedGeneration {
  id: string
  types: string[]
  /** The renderers that started it. */
  renderers: string[]
  /** The key of the PDF in the object store, if it was completed. */
  objectKey?: string
  /** What GET must return for it. */
  response: Partial<Generation>
}

/** All generations of the fleet's API key, by id. */
export async function readGenerations({ store, apiKey }: Fleet): Promise<Map<string, RecordedGeneration>> {
  const streams = new Map<string, (GenerationEvent | Unreadable)[]>()
  for await (const stored of history(store, { categories: ['generation'] })) {
    const id = idOf(stored)
    streams.set(id, [...(streams.get(id) ?? []), domainEvent<GenerationEvent>(stored)])
  }
  const owner = apiKeyId(apiKey)
  const own = [...streams].filter(([, [first]]) => (first?.data as { api_key_id?: string })?.api_key_id === owner)
  return new Map(own.map(([id, events]) => [id, recorded(id, events)]))
}

const idOf = ({ stream }: StoredEvent) => stream.slice(stream.indexOf('-') + 1)

function recorded(id: string, events: (GenerationEvent | Unreadable)[]): RecordedGeneration {
  const state = events.reduce(evolveGeneration, absentGeneration)
  const outcome = outcomeOf(state)
  return {
    id,
    types: events.map(({ type }) => type),
    renderers: events.flatMap((event) => (event.type === 'GenerationStarted' ? [event.data.renderer] : [])),
    ...(outcome?.type === 'GenerationCompleted' && { objectKey: outcome.data.object_key }),
    response: {
      id,
      ...(state.status !== 'absent' && { status: state.status }),
      ...(outcome?.type === 'GenerationCompleted' && { pages: outcome.data.pages, size: outcome.data.size }),
    },
  }
}

export const endings = ['GenerationCompleted', 'GenerationFailed', 'GenerationCancelled']
