import { createHash, randomBytes } from 'node:crypto'
import { type EventStore, OutcomeUnknown } from '@platen/event-store/event-store.ts'
import { handleCommand, load, operatorMetadata } from '@platen/event-store/handle-command.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { hashedId } from '@platen/foundation/runtime/ids.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { defaultOwnerId } from '../ids/owner-id.ts'
import { requireOwner } from '../owner/owners.ts'
import type { Scope } from './api-key.ts'
import { type ApiKeyEvent, apiKeyStream } from './api-key-events.ts'
import { type ApiKeyCommand, type ApiKeyState, apiKeyDecider } from './decide-api-key.ts'

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
  /** Default: the default owner. */
  ownerId?: string
}

/**
 * Issues a key and returns its id. Issuing the same key again changes nothing, even if it was revoked. Throws DomainError
 * OWNER_NOT_FOUND.
 */
export async function issueApiKey(
  store: EventStore,
  { key, name, scopes, ownerId = defaultOwnerId }: NewApiKey,
  metadata?: CommandMetadata,
): Promise<string> {
  await requireOwner(store, ownerId)
  const id = apiKeyId(key)
  const data = { name, owner_id: ownerId, ...secretOf(key), scopes: [...scopes] }
  await changeApiKey(store, id, { type: 'IssueApiKey', data }, metadata)
  return id
}

/** The longest time for which a replaced secret is accepted. */
export const longestGraceDays = 28

export interface Rotation {
  /** The new secret. Default: a random one. */
  key?: string
  /** How long the replaced secret is accepted. Default: 0, not at all. */
  graceS?: number
  metadata?: CommandMetadata
}

/**
 * Replaces the secret of a key, which keeps its id, owner and scopes. Returns the new secret with the state of the key.
 * Throws DomainError API_KEY_NOT_FOUND, or CONFLICT for a revoked key. After OutcomeUnknown the new secret may be the
 * only valid one.
 */
export async function rotateApiKey(
  store: EventStore,
  id: string,
  { key = newApiKey(), graceS = 0, metadata = operatorMetadata() }: Rotation = {},
): Promise<{ key: string; state: ApiKeyState }> {
  const until = graceS > 0 && { previous_until: new Date(Date.parse(metadata.time) + graceS * 1_000).toISOString() }
  const command = { type: 'RotateApiKey', data: { ...secretOf(key), ...until } } as const
  return { key, state: await changeApiKey(store, id, command, metadata) }
}

/** Throws DomainError API_KEY_NOT_FOUND. Revoking twice has no effect. */
export async function revokeApiKey(store: EventStore, id: string, metadata?: CommandMetadata): Promise<void> {
  await changeApiKey(store, id, { type: 'RevokeApiKey', data: {} }, metadata)
}

/** `absent` for an unknown id. */
export async function readApiKey(store: EventStore, id: string): Promise<ApiKeyState> {
  return (await load<ApiKeyState, ApiKeyEvent>(store, apiKeyDecider(id), apiKeyStream(id))).state
}

/** How long a change is repeated while it is unknown whether it was recorded, before its client has an answer. */
const knownWithinMs = 4_000

/** The event has one id, so that it is recorded once. Returns the state after it. */
async function changeApiKey(
  store: EventStore,
  id: string,
  command: ApiKeyCommand,
  metadata: CommandMetadata = operatorMetadata(),
): Promise<ApiKeyState> {
  const decider = apiKeyDecider(id)
  const until = performance.now() + knownWithinMs
  let unknown: OutcomeUnknown | undefined
  for (;;) {
    try {
      const handling = { store, decider, stream: apiKeyStream(id), command: { ...command, metadata }, once: true }
      return (await handleCommand(handling)).state
    } catch (err) {
      if (err instanceof OutcomeUnknown) unknown = err
      if (!(err instanceof DependencyUnavailable) || unknown === undefined) throw err
      // An append that fails now may have been recorded by an earlier attempt.
      if (performance.now() > until) throw unknown
      await sleep(200)
    }
  }
}

function secretOf(key: string): { sha256: string; prefix: string } {
  return { sha256: hashApiKey(key), prefix: apiKeyPrefix(key) }
}

/** The first characters of a key, by which people recognise it. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, 7)
}
