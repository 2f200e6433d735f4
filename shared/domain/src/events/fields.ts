import { type TSchema, Type } from 'typebox'
import { ownerIdPattern } from '../ids/owner-id.ts'

// Types that several events share. First those of recorded data, which say only what readers rely on.

export const Text = Type.String()
export const Count = Type.Integer({ minimum: 0 })
/**
 * Accepts any data. The type alone says what has happened, so that malformed data cannot prevent, for example, that a
 * key is revoked.
 */
export const Anything = Type.Unsafe<Record<string, never>>(Type.Unknown())
/** Data of a type that is known in more detail than is checked. */
export const known = <Known>(schema: TSchema) => Type.Unsafe<Known>(schema)

// Fields of published data.

export const Time = Type.String({ format: 'date-time', description: 'RFC 3339, in UTC' })
export const OwnerId = Type.String({ pattern: ownerIdPattern, description: 'the owner (`own_…`)' })
export const ApiKeyId = Type.String({ description: 'the API key of the request (`key_…`)' })
export const GenerationId = Type.String({ description: 'the generation (`pdf_…`)' })
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, in hex' })
export const None = Type.Object({})
