import { timingSafeEqual } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { type ApiKeyState, evolveApiKey } from '@platen/shared/api-keys/api-key-state.ts'
import { hashApiKey } from '@platen/shared/api-keys/api-keys.ts'
import type { ApiKeyEvent, Scope } from '@platen/shared/contracts/api-key.ts'
import type { StoredEvent } from '@platen/shared/event-store/event-store.ts'
import { domainEvent } from '@platen/shared/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/shared/event-store/stream-name.ts'

/** The properties of an API key that requests need. */
export interface ApiKey {
  id: string
  scopes: readonly Scope[]
  /** Counts up with each rotation of the webhook secret. */
  webhookSecretVersion: number
}

export interface ApiKeyView {
  apply(event: StoredEvent): void
  /** Undefined for an unknown or revoked key. */
  findByKey(key: string): ApiKey | undefined
}

export function apiKeyView(db: DatabaseSync): ApiKeyView {
  const byId = db.prepare('SELECT id, state FROM api_keys WHERE id = ?')
  const byHash = db.prepare('SELECT id, state FROM api_keys WHERE sha256 = ?')
  const save = db.prepare(
    `INSERT INTO api_keys(id, sha256, state) VALUES (?, ?, ?)
     ON CONFLICT(id) DO UPDATE SET sha256 = excluded.sha256, state = excluded.state`,
  )
  return {
    apply(event) {
      const id = aggregateIdOf(event.stream)
      const before: ApiKeyState = rowOf(byId.get(id))?.state ?? { status: 'absent' }
      const state = evolveApiKey(before, domainEvent<ApiKeyEvent>(event))
      if (state.status !== 'absent') save.run(id, state.sha256, JSON.stringify(state))
    },
    findByKey(key) {
      const sha256 = hashApiKey(key)
      const row = rowOf(byHash.get(sha256))
      if (row?.state.status !== 'active') return undefined
      // The index lookup above is not constant-time. This comparison decides, and is.
      if (!timingSafeEqual(Buffer.from(row.state.sha256), Buffer.from(sha256))) return undefined
      const { scopes, webhookSecretVersion } = row.state
      return { id: row.id, scopes, webhookSecretVersion }
    },
  }
}

function rowOf(row: unknown): { id: string; state: ApiKeyState } | undefined {
  if (row === undefined) return undefined
  const { id, state } = row as { id: string; state: string }
  return { id, state: JSON.parse(state) }
}
