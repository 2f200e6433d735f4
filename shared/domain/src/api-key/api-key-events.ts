import { Type } from 'typebox'
import { defineEvent, type Recorded } from '../events/define-event.ts'
import { Anything, known, Text } from '../events/fields.ts'
import type { Scope } from './api-key.ts'

const apiKey = { category: 'apikey' } as const
const keyUse = { category: 'keyuse' } as const

export const apiKeyStream = (keyId: string) => `apikey-${keyId}`
export const keyUseStream = (keyId: string) => `keyuse-${keyId}`

const id = 'key_5x0w8z7v3d2e8f0g2h4j6k8m0a'
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

/** `sha256` (hex) is that of the key, which itself is never stored. `prefix` are its first characters, shown in lists. */
const Secret = { sha256: Text, prefix: Text }

export const ApiKeyIssued = defineEvent({
  type: 'ApiKeyIssued',
  aggregate: apiKey,
  summary: 'An API key was issued.',
  data: Type.Object({ name: Text, owner_id: Text, ...Secret, scopes: known<Scope[]>(Type.Array(Text)) }),
  describe: ({ name, prefix, scopes }) => ['API key issued', `"${name}"`, `${prefix}…`, scopes.join(' ')],
  example: { id, data: { name: 'shop', owner_id: 'own_default', sha256, prefix: 'pk_9fKx', scopes: ['generate'] } },
})
export type ApiKeyIssued = Recorded<typeof ApiKeyIssued>

/** The key's secret was replaced. Those before are accepted until `previous_until` (ISO 8601) at most, if that is set. */
export const ApiKeyRotated = defineEvent({
  type: 'ApiKeyRotated',
  aggregate: apiKey,
  summary: 'The secret of an API key was replaced.',
  data: Type.Object({ ...Secret, previous_until: Type.Optional(Text) }),
  describe: ({ prefix, previous_until: until }) => [
    'API key rotated',
    `${prefix}…`,
    until && `the old secret is accepted until ${until}`,
  ],
  example: { id, data: { sha256, prefix: 'pk_2bQr', previous_until: '2026-01-31T12:00:00.000Z' } },
})
export type ApiKeyRotated = Recorded<typeof ApiKeyRotated>

export const ApiKeyRevoked = defineEvent({
  type: 'ApiKeyRevoked',
  aggregate: apiKey,
  summary: 'An API key was revoked.',
  data: Anything,
  describe: () => ['API key revoked'],
  example: { id, data: {} },
})

/** Recorded at the first request, and then once in an hour with requests. `at` is ISO 8601. */
export const ApiKeyUsed = defineEvent({
  type: 'ApiKeyUsed',
  aggregate: keyUse,
  summary: 'An API key was used.',
  data: Type.Object({ at: Text }),
  describe: ({ at }) => ['API key used', `at ${at}`],
  example: { id, data: { at: '2026-01-31T12:00:00.000Z' } },
})
export type ApiKeyUsed = Recorded<typeof ApiKeyUsed>

/** `session` is the SHA-256 (hex) of the session's cookie. After `until` (ISO 8601) it would not be accepted anyway. */
export const SessionEnded = defineEvent({
  type: 'SessionEnded',
  aggregate: keyUse,
  summary: 'Somebody signed out of the studio.',
  data: Type.Object({ session: Text, until: Text }),
  describe: ({ until }) => ['session ended', `it would have ended at ${until}`],
  example: { id, data: { session: sha256, until: '2026-01-31T12:00:00.000Z' } },
})
export type SessionEnded = Recorded<typeof SessionEnded>
export type KeyUseEvent = ApiKeyUsed | SessionEnded

/** The events of the stream of a key. */
export const changesOfKey = { ApiKeyIssued, ApiKeyRotated, ApiKeyRevoked }
export type ApiKeyEvent = Recorded<(typeof changesOfKey)[keyof typeof changesOfKey]>

export const apiKeyEvents = { ...changesOfKey, ApiKeyUsed, SessionEnded }
