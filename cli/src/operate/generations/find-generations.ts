import { GenerationStatus } from '@platen/domain/generation/generation.ts'
import type { GenerationEvent, GenerationRequested } from '@platen/domain/generation/generation-events.ts'
import {
  absentGeneration,
  evolveGeneration,
  type GenerationState,
  outcomeOf,
} from '@platen/domain/generation/generation-state.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { history } from '@platen/event-store/history.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { idTimeMs } from '@platen/foundation/runtime/ids.ts'
import { last, newest, time, UsageError, type Values } from '../../frame/options.ts'
import { findOwner } from '../owners/owners.ts'

const statuses = GenerationStatus.enum.filter((status) => status !== 'queued')

/** The options that select generations of the event store: those that are queued are not in it yet. */
export const generationFilters = {
  status: { value: 'STATUS', about: statuses.join(', '), read: readStatus },
  code: { value: 'CODE', about: 'failed with this error, such as RENDER_TIMEOUT' },
  owner: { value: 'OWNER', about: 'of this owner, by id or name' },
  template: { value: 'ID', about: 'of this template, tpl_…' },
  metadata: { value: 'KEY=VALUE', about: 'with this metadata; may be repeated', multiple: true, read: readMetadata },
  since: time('requested at this time or later'),
  until: time('requested before this time'),
  ...last,
} as const

export type GenerationFilters = Partial<Values<typeof generationFilters>>

export type FoundGeneration = Exclude<GenerationState, { status: 'absent' }> & { id: string; created_at: string }

/** Oldest first. Reads the log of all generations. */
export async function findGenerations(
  store: EventStore,
  filter: GenerationFilters,
  signal: AbortSignal,
): Promise<FoundGeneration[]> {
  const { status, code, owner, template, metadata = [], since = 0, until = Number.POSITIVE_INFINITY } = filter
  const ownerId = owner === undefined ? undefined : await findOwner(store, owner)
  const isWantedRequest = (request: GenerationRequested['data']) =>
    (ownerId === undefined || request.owner_id === ownerId) &&
    (template === undefined || request.template?.id === template) &&
    metadata.every(([key, value]) => request.metadata?.[key] === value)
  const isWantedState = (state: GenerationState) =>
    (status === undefined || state.status === status) &&
    (code === undefined || (state.status === 'failed' && state.failure.code === code))
  const states = new Map<string, GenerationState>()
  for await (const event of history(store, { categories: ['generation'], signal })) {
    const id = aggregateIdOf(event.stream)
    const requestedAt = idTimeMs(id)
    if (requestedAt < since || requestedAt >= until) continue
    const state = evolveGeneration(states.get(id) ?? absentGeneration, domainEvent<GenerationEvent>(event))
    // Only possible matches are kept in memory, as the log may have millions of generations. One whose request does not
    // match is dropped at its first event.
    const mayBeWanted = isWantedState(state) || outcomeOf(state) === undefined
    if (state.status !== 'absent' && isWantedRequest(state.request) && mayBeWanted) states.set(id, state)
    else states.delete(id)
  }
  // The history ends when it is interrupted.
  signal.throwIfAborted()
  const found = [...states].flatMap(([id, state]): FoundGeneration[] => {
    if (state.status === 'absent') return []
    return isWantedState(state) ? [{ ...state, id, created_at: new Date(idTimeMs(id)).toISOString() }] : []
  })
  return newest(
    found.sort((one, other) => (one.id < other.id ? -1 : 1)),
    filter.last,
  )
}

function readStatus(text: string, option: string) {
  const status = statuses.find((known) => known === text)
  if (status === undefined) throw new UsageError(`${option} must be ${statuses.join(', ')}`)
  return status
}

function readMetadata(text: string, option: string): readonly [key: string, value: string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`${option} must be KEY=VALUE`)
  return [text.slice(0, at), text.slice(at + 1)]
}
