import { Type } from 'typebox'
import { ownerIdPattern } from '../owner/owner-contract.ts'

// Types that the schemas of several events share.

export const Time = Type.String({ format: 'date-time', description: 'RFC 3339, in UTC' })
export const OwnerId = Type.String({ pattern: ownerIdPattern, description: 'the owner (`own_…`)' })
export const ApiKeyId = Type.String({ description: 'the API key of the request (`key_…`)' })
export const GenerationId = Type.String({ description: 'the generation (`pdf_…`)' })
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, in hex' })
export const None = Type.Object({})
