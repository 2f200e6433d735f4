import { OpenEnum, StringEnum, statedRules, Timestamp, uniqueItems } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { Name, OwnerId } from '../ids/owner-id.ts'

export const Scope = OpenEnum(['templates:read', 'templates:write', 'generate', 'generations:read', 'admin'], {
  title: 'Scope',
})
export type Scope = Static<typeof Scope>

/** Scopes say what a key may do, with the templates and generations of its owner. */
export const ownScopes: readonly Scope[] = ['templates:read', 'templates:write', 'generate', 'generations:read']

/** `admin` includes every scope, manages owners and keys, and may act for another owner. */
export const allScopes: readonly Scope[] = [...ownScopes, 'admin']

/** An API key in HTTP responses, without its secret. */
export const ApiKey = Type.Object({
  id: Type.String({ examples: ['key_5x0w8z7v3d2e8f0g2h4j6k8m0a'] }),
  owner_id: OwnerId,
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the secret.', examples: ['pk_9fKx'] }),
  scopes: Type.Array(Scope),
  status: StringEnum(['active', 'revoked'], { title: 'ApiKeyStatus' }),
  created_at: Timestamp,
  last_used_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'Exact to the hour. Absent if the key was never used.' }),
  ),
  previous_valid_until: Type.Optional(
    Type.String({ format: 'date-time', description: 'Until then the secret before the last rotation is accepted.' }),
  ),
})
export type ApiKey = Static<typeof ApiKey>

export const IssueApiKeyBody = Type.Object(
  { name: Name, scopes: Type.Array(Scope, { minItems: 1, maxItems: allScopes.length, [statedRules]: uniqueItems }) },
  {
    title: 'IssueApiKeyRequest',
    additionalProperties: false,
    examples: [{ name: 'shop', scopes: ['generate', 'generations:read'] }],
  },
)
