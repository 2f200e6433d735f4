import { timingSafeEqual } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { ApiKeyEvent, KeyUseEvent } from '@platen/domain/api-key/api-key-events.ts'
import { hashApiKey } from '@platen/domain/api-key/api-keys.ts'
import { type ApiKeyState, absentApiKey, evolveApiKey } from '@platen/domain/api-key/decide-api-key.ts'
import type { Unreadable } from '@platen/event-store/decider.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { eventTime } from '@platen/event-store/event-time.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import type { Page, View } from './view.ts'

/** An API key without its secret. */
export type ApiKeyRecord = Exclude<ApiKeyState, { status: 'absent' }> & {
  id: string
  createdAt: string
  /** ISO 8601, exact to the hour. */
  lastUsedAt: string | undefined
}

export interface ApiKeyPage {
  ownerId: string
  /** The id that ended the previous page. */
  before: string | undefined
  limit: number
}

export interface ApiKeyView extends View {
  /** Applies an event of the stream of the key's uses. */
  applyUse(event: StoredEvent): void
  /** Undefined for an unknown, replaced or revoked key. */
  findByKey(key: string): ApiKeyRecord | undefined
  /** Undefined for an unknown or revoked key. */
  findActive(id: string): ApiKeyRecord | undefined
  /** Whether somebody has ended the session with this hash. */
  hasEnded(session: string): boolean
  /** Undefined for an unknown key, and for that of another owner. Also finds a revoked one. */
  find(id: string, ownerId: string): ApiKeyRecord | undefined
  /** Also of a revoked key; undefined for an unknown one. */
  ownerOf(id: string): string | undefined
  /** The keys of an owner, newest first. */
  page(options: ApiKeyPage): Page<ApiKeyRecord>
  /** Whether the text is or was an API key: replaced and revoked ones included. */
  wasIssued(text: string): boolean
}

export const apiKeyTables = `
  CREATE TABLE api_keys(
    id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, created_at TEXT NOT NULL, last_used_at TEXT, state TEXT NOT NULL) STRICT;
  CREATE INDEX api_keys_owner ON api_keys(owner_id, created_at, id);
  CREATE TABLE api_key_secrets(sha256 TEXT PRIMARY KEY, id TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE ended_sessions(session TEXT PRIMARY KEY, until TEXT NOT NULL) STRICT, WITHOUT ROWID;`

export function apiKeyView(db: DatabaseSync): ApiKeyView {
  const columns = 'api_keys.id, created_at, last_used_at, state'
  const byId = db.prepare(`SELECT ${columns} FROM api_keys WHERE id = ?`)
  const byHash = db.prepare(`SELECT ${columns} FROM api_key_secrets JOIN api_keys USING (id) WHERE sha256 = ?`)
  const pageOf = (condition: string) =>
    db.prepare(
      `SELECT ${columns} FROM api_keys WHERE owner_id = :ownerId ${condition} ORDER BY created_at DESC, id DESC LIMIT :limit`,
    )
  const newest = pageOf('')
  // A statement of its own: with an optional condition, SQLite would scan the keys from the newest on.
  const older = pageOf('AND (created_at, id) < (SELECT created_at, id FROM api_keys WHERE id = :before)')
  const save = db.prepare(
    `INSERT INTO api_keys(id, owner_id, created_at, state) VALUES (?, ?, ?, ?)
     ON CONFLICT(id) DO UPDATE SET state = excluded.state`,
  )
  const saveUse = db.prepare('UPDATE api_keys SET last_used_at = ? WHERE id = ?')
  const saveSecret = db.prepare('INSERT INTO api_key_secrets(sha256, id) VALUES (?, ?) ON CONFLICT(sha256) DO NOTHING')
  const remove = db.prepare('DELETE FROM api_keys WHERE id = ?')
  const ended = db.prepare('SELECT 1 FROM ended_sessions WHERE session = ?')
  const saveEnd = db.prepare('INSERT INTO ended_sessions(session, until) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const forgetEnds = db.prepare('DELETE FROM ended_sessions WHERE until < ?')
  const record = (id: string) => recordFrom(byId.get(id))
  return {
    remove: (id) => void remove.run(id),
    apply(event) {
      const {
        id,
        createdAt,
        lastUsedAt: _,
        ...before
      } = record(aggregateIdOf(event.stream)) ?? {
        id: aggregateIdOf(event.stream),
        createdAt: eventTime(event),
        lastUsedAt: undefined,
        ...absentApiKey,
      }
      const state = evolveApiKey(before, domainEvent<ApiKeyEvent>(event))
      if (state.status === 'absent') return
      save.run(id, state.ownerId, createdAt, JSON.stringify(state))
      saveSecret.run(state.sha256, id)
    },
    applyUse(event) {
      const use = domainEvent<KeyUseEvent>(event)
      if (use.type === 'ApiKeyUsed') saveUse.run(use.data.at, aggregateIdOf(event.stream))
      else if (use.type === 'SessionEnded') {
        forgetEnds.run(event.recordedAt.toISOString())
        saveEnd.run(use.data.session, use.data.until)
      } else use satisfies Unreadable
    },
    findByKey(key) {
      const sha256 = hashApiKey(key)
      const found = recordFrom(byHash.get(sha256))
      return found?.status === 'active' && isAccepted(found, sha256) ? found : undefined
    },
    findActive(id) {
      const found = record(id)
      return found?.status === 'active' ? found : undefined
    },
    hasEnded: (session) => ended.get(session) !== undefined,
    wasIssued: (text) => byHash.get(hashApiKey(text)) !== undefined,
    ownerOf: (id) => record(id)?.ownerId,
    find(id, ownerId) {
      const found = record(id)
      return found?.ownerId === ownerId ? found : undefined
    },
    page({ ownerId, before, limit }) {
      const range = { ownerId, limit: limit + 1 }
      const rows = before === undefined ? newest.all(range) : older.all({ ...range, before })
      const keys = rows.flatMap((row) => recordFrom(row) ?? [])
      return { items: keys.slice(0, limit), hasMore: keys.length > limit }
    },
  }
}

/** The lookup by hash is not constant-time. This comparison decides, and is. */
function isAccepted(key: ApiKeyRecord, sha256: string): boolean {
  return acceptedSecrets(key).some((accepted) => isEqual(accepted, sha256))
}

/** The SHA-256 of the secret of the key, and of those that a rotation keeps for some time. */
export function acceptedSecrets({ sha256, previous = [] }: ApiKeyRecord): string[] {
  return [sha256, ...previous.filter(({ until }) => Date.now() < Date.parse(until)).map((secret) => secret.sha256)]
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

interface Row {
  id: string
  created_at: string
  last_used_at: string | null
  state: string
}

function recordFrom(row: unknown): ApiKeyRecord | undefined {
  if (row === undefined) return undefined
  const { id, created_at: createdAt, last_used_at, state } = row as Row
  return { id, createdAt, lastUsedAt: last_used_at ?? undefined, ...JSON.parse(state) }
}
