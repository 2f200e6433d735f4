import type { StoredEvent } from '@platen/event-store/event-store.ts'
import type { OwnedGeneration } from '@platen/service-kit/commands/erase-generation.ts'

/**
 * Generations with their owners. Throws if `owner` is absent and they belong to several: each owner chooses its metadata, and
 * what one calls a person need not be that person of another.
 */
export function ofOneOwner(
  found: ReadonlyMap<string, readonly StoredEvent[]>,
  owner: string | undefined,
): OwnedGeneration[] {
  const all = [...found].map(([id, events]) => ({ id, events, owner: ownerOf(events) }))
  const chosen = owner === undefined ? all : all.filter((one) => one.owner === owner)
  const byOwner = Object.entries(Object.groupBy(chosen, (one) => one.owner))
  if (byOwner.length > 1) {
    const counts = byOwner.map(([name, { length } = []]) => `${name} (${length})`).join(', ')
    throw new Error(`these are generations of several owners: ${counts}; choose one with --owner. Nothing was deleted`)
  }
  return chosen
}

/** `unknown` if the event store has lost the first event. */
function ownerOf(events: readonly StoredEvent[]): string {
  const requested = events.find(({ type }) => type === 'GenerationRequested')
  return (requested?.data as { owner_id?: string } | undefined)?.owner_id ?? 'unknown'
}
