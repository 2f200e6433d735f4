import { defaultOwnerId } from '@platen/domain/owner/owner-contract.ts'
import type { EventStore, StoredEvent } from '@platen/event-store/event-store.ts'
import { readWhole } from '../frame/history.ts'

export interface OwnedGeneration {
  id: string
  owner: string
  events: readonly StoredEvent[]
}

/**
 * Generations with their owners. Throws if `owner` is absent and they belong to several: each owner chooses its metadata, and
 * what one calls a person need not be that person of another.
 */
export async function ofOneOwner(
  store: EventStore,
  found: ReadonlyMap<string, readonly StoredEvent[]>,
  owner: string | undefined,
): Promise<OwnedGeneration[]> {
  const ofKeys = new Map<string, string>()
  const all: OwnedGeneration[] = []
  for (const [id, events] of found) all.push({ id, events, owner: await ownerOf(store, events, ofKeys) })
  const chosen = owner === undefined ? all : all.filter((one) => one.owner === owner)
  const byOwner = Object.entries(Object.groupBy(chosen, (one) => one.owner))
  if (byOwner.length > 1) {
    const counts = byOwner.map(([name, { length } = []]) => `${name} (${length})`).join(', ')
    throw new Error(`these are generations of several owners: ${counts}; choose one with --owner. Nothing was deleted`)
  }
  return chosen
}

/** Events of versions without owners name only the API key, whose owner it is. */
async function ownerOf(store: EventStore, events: readonly StoredEvent[], ofKeys: Map<string, string>) {
  const requested = events.find(({ type }) => type === 'GenerationRequested')
  const { owner_id, api_key_id = '' } = (requested?.data ?? {}) as { owner_id?: string; api_key_id?: string }
  if (owner_id !== undefined) return owner_id
  const known = ofKeys.get(api_key_id) ?? (await ownerOfKey(store, api_key_id))
  ofKeys.set(api_key_id, known)
  return known
}

async function ownerOfKey(store: EventStore, id: string): Promise<string> {
  const events = await readWhole(store, `apikey-${id}`)
  const issued = events.find(({ type }) => type === 'ApiKeyIssued')
  return (issued?.data as { owner_id?: string } | undefined)?.owner_id ?? defaultOwnerId
}
