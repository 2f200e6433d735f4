import { type Static, Type } from 'typebox'

export const Scope = Type.Enum(['templates:read', 'templates:write', 'generate', 'generations:read', 'admin'])
export type Scope = Static<typeof Scope>

export const allScopes: readonly Scope[] = [
  'templates:read',
  'templates:write',
  'generate',
  'generations:read',
  'admin',
]

// Events: stream `apikey-<id>`. The key itself is never stored.

export type ApiKeyIssued = {
  type: 'ApiKeyIssued'
  data: {
    name: string
    /** SHA-256 (hex) of the key. */
    sha256: string
    /** The first characters of the key, shown in lists. */
    prefix: string
    scopes: Scope[]
  }
}
export type ApiKeyRevoked = { type: 'ApiKeyRevoked'; data: Record<string, never> }
/** Each version of the secret derives from SIGNING_SECRET; versions count from 1. `rotated_at` is ISO 8601. */
export type WebhookSecretRotated = { type: 'WebhookSecretRotated'; data: { version: number; rotated_at?: string } }
export type ApiKeyEvent = ApiKeyIssued | ApiKeyRevoked | WebhookSecretRotated
