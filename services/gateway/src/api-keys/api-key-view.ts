import { timingSafeEqual } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { type ApiKeyState, absentApiKey, evolveApiKey } from '@platen/shared/api-keys/api-key.ts'
import { hashApiKey } from '@platen/shared/api-keys/api-keys.ts'
import type { ApiKeyEvent, Scope } from '@platen/shared/contracts/api-key.ts'
import { defaultOwnerId } from '@platen/shared/contracts/owner.ts'
import type { StoredEvent } from '@platen/shared/event-store/event-store.ts'
import { domainEvent } from '@platen/shared/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/shared/event-store/stream-name.ts'

/** The properties of an API key that requests need. */
export interface ApiKey {
  id: string
  ownerId: string
  scopes: readonly Scope[]
}

export interface ApiKeyView {
  apply(event: StoredEvent): void
  remove(id: string): void
  /** Undefined for an unknown, replaced or revoked key. */
  findByKey(key: string): ApiKey | undefined
  /** The default owner for an unknown key. */
  ownerIdOf(id: string): string
}

export function apiKeyView(db: DatabaseSync): ApiKeyView {
  const byId = db.prepare('SELECT id, state FROM api_keys WHERE id = ?')
  const byHash = db.prepare(
    'SELECT api_keys.id, state FROM api_key_secrets JOIN api_keys USING (id) WHERE api_key_secrets.sha256 = ?',
  )
  const save = db.prepare(
    'INSERT INTO api_keys(id, state) VALUES (?, ?) ON CONFLICT(id) DO UPDATE SET state = excluded.state',
  )
  const saveSecret = db.prepare('INSERT INTO api_key_secrets(sha256, id) VALUES (?, ?) ON CONFLICT(sha256) DO NOTHING')
  const remove = db.prepare('DELETE FROM api_keys WHERE id = ?')
  return {
    remove: (id) => void remove.run(id),
    apply(event) {
      const id = aggregateIdOf(event.stream)
      const before = rowOf(byId.get(id))?.state ?? absentApiKey
      const state = evolveApiKey(before, domainEvent<ApiKeyEvent>(event))
      if (state.status === 'absent') return
      save.run(id, JSON.stringify(state))
      saveSecret.run(state.sha256, id)
    },
    findByKey(key) {
      const sha256 = hashApiKey(key)
      const row = rowOf(byHash.get(sha256))
      if (row?.state.status !== 'active') return undefined
      const { id, state } = row
      const { sha256: current, previous, ownerId, scopes } = state
      const accepted = isEqual(current, sha256) || (previous && isEqual(previous.sha256, sha256) && !isOver(previous))
      return accepted ? { id, ownerId, scopes } : undefined
    },
    ownerIdOf(id) {
      const state = rowOf(byId.get(id))?.state ?? absentApiKey
      return state.status === 'absent' ? defaultOwnerId : state.ownerId
    },
  }
}

/** The index lookup by hash is not constant-time. This comparison decides, and is. */
function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

function isOver({ until }: { until: string }): boolean {
  return Date.now() >= Date.parse(until)
}

function rowOf(row: unknown): { id: string; state: ApiKeyState } | undefined {
  if (row === undefined) return undefined
  const { id, state } = row as { id: string; state: string }
  return { id, state: JSON.parse(state) }
}
