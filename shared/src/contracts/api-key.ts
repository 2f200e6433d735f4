import { type Static, Type } from 'typebox'

export const Scope = Type.Enum(['templates:read', 'templates:write', 'generate', 'generations:read', 'admin'])
export type Scope = Static<typeof Scope>

/** Scopes say what a key may do, with the templates and generations of its owner. */
export const ownScopes: readonly Scope[] = ['templates:read', 'templates:write', 'generate', 'generations:read']

/** `admin` includes every scope, manages owners and keys, and may act for another owner. */
export const allScopes: readonly Scope[] = [...ownScopes, 'admin']

// Events: stream `apikey-<id>`. The key itself is never stored.

export type ApiKeyIssued = {
  type: 'ApiKeyIssued'
  data: {
    name: string
    /** Absent in events of versions without owners: the default owner. */
    owner_id?: string
    /** SHA-256 (hex) of the key. */
    sha256: string
    /** The first characters of the key, shown in lists. */
    prefix: string
    scopes: Scope[]
  }
}
/** The key's secret was replaced. The one before is accepted until `previous_until` (ISO 8601), if that is set. */
export type ApiKeyRotated = {
  type: 'ApiKeyRotated'
  data: { sha256: string; prefix: string; previous_until?: string }
}
/** Recorded at the first request, and then once in an hour with requests. `at` is ISO 8601. */
export type ApiKeyUsed = { type: 'ApiKeyUsed'; data: { at: string } }
export type ApiKeyRevoked = { type: 'ApiKeyRevoked'; data: Record<string, never> }
/** Of versions without owners, in which each key had a webhook secret of its own. */
export type WebhookSecretRotated = { type: 'WebhookSecretRotated'; data: { version: number; rotated_at?: string } }
export type ApiKeyEvent = ApiKeyIssued | ApiKeyRotated | ApiKeyUsed | ApiKeyRevoked | WebhookSecretRotated
