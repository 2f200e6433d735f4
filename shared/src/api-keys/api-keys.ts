import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { ApiKeyEvent, Scope } from '../contracts/api-key.ts'
import { type EventStore, type NewEvent, WrongExpectedRevision } from '../event-store/event-store.ts'
import { load } from '../event-store/handle-command.ts'
import { DomainError } from '../runtime/errors.ts'
import { derivedUuid, hashedId } from '../runtime/ids.ts'
import { type ApiKeyState, evolveApiKey } from './api-key-state.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `pk_` + 32 random bytes in base62 (43 characters). */
export function newApiKey(): string {
  let text = ''
  for (let rest = BigInt(`0x${randomBytes(32).toString('hex')}`); text.length < 43; rest /= 62n) {
    text = base62.charAt(Number(rest % 62n)) + text
  }
  return `pk_${text}`
}

/** SHA-256, hex. Keys are stored in this form only. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** The id derives from the key, so that issuing the same key twice has no effect. */
export function apiKeyId(key: string): string {
  return hashedId('key', hashApiKey(key))
}

export interface NewApiKey {
  key: string
  name: string
  scopes: readonly Scope[]
}

/** Issues a key and returns its id. Issuing the same key again changes nothing, even if it was revoked. */
export async function issueApiKey(store: EventStore, { key, name, scopes }: NewApiKey): Promise<string> {
  const id = apiKeyId(key)
  const data = { name, sha256: hashApiKey(key), prefix: key.slice(0, 7), scopes: [...scopes] }
  try {
    await store.append(stream(id), [event({ type: 'ApiKeyIssued', data }, derivedUuid(id, 'issued'))], 'none')
  } catch (err) {
    if (!(err instanceof WrongExpectedRevision)) throw err
  }
  return id
}

/** Throws DomainError NOT_FOUND. Revoking twice has no effect. */
export async function revokeApiKey(store: EventStore, id: string): Promise<void> {
  const { state, revision } = await loadApiKey(store, id)
  if (state.status === 'revoked') return
  await store.append(stream(id), [event({ type: 'ApiKeyRevoked', data: {} })], revision)
}

/** Switches to a new webhook secret and returns its version. The previous one signs too for another day. */
export async function rotateWebhookSecret(store: EventStore, id: string): Promise<number> {
  const { state, revision } = await loadApiKey(store, id)
  const version = state.webhookSecretVersion + 1
  const data = { version, rotated_at: new Date().toISOString() }
  await store.append(stream(id), [event({ type: 'WebhookSecretRotated', data })], revision)
  return version
}

async function loadApiKey(store: EventStore, id: string) {
  const initialState: ApiKeyState = { status: 'absent' }
  const { state, revision } = await load(store, { initialState, evolve: evolveApiKey }, stream(id))
  if (state.status === 'absent') throw new DomainError('NOT_FOUND', `No API key ${id}`)
  return { state, revision }
}

const stream = (id: string) => `apikey-${id}`

function event({ type, data }: ApiKeyEvent, id: string = randomUUID()): NewEvent {
  return { id, type, data: { ...data }, metadata: { time: new Date().toISOString() } }
}
