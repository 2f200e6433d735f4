import { StringEnum } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'

export const ownerIdPattern = '^own_([0-9a-z]{26}|default)$'

/**
 * An owner has API keys. Templates, slugs, generations, webhook secrets and limits belong to it, and another owner's do not
 * exist for its keys.
 */
export const OwnerId = Type.String({
  pattern: ownerIdPattern,
  examples: ['own_01k9x2v7w3d5e8f0g2h4j6k8m0'],
})
export type OwnerId = Static<typeof OwnerId>

/** The owner that every deployment has, also without events of its own. */
export const defaultOwnerId = 'own_default'

/** 1 to 100 characters, not blank. Also the pattern of an API key's name. */
export const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })

/** An owner in HTTP responses. */
export const Owner = Type.Object({
  id: OwnerId,
  name: Type.String(),
  status: StringEnum(['active', 'disabled'], {
    title: 'OwnerStatus',
    description: 'The API keys of a disabled owner are answered with 403.',
  }),
  created_at: Type.Optional(Type.String({ format: 'date-time', description: 'Absent for `own_default`.' })),
})
export type Owner = Static<typeof Owner>

export const CreateOwnerBody = Type.Object(
  { name: Name },
  { title: 'CreateOwnerRequest', additionalProperties: false, examples: [{ name: 'Acme' }] },
)

export const UpdateOwnerBody = Type.Object(
  { name: Type.Optional(Name), status: Type.Optional(StringEnum(['active', 'disabled'], { title: 'OwnerStatus' })) },
  { title: 'UpdateOwnerRequest', additionalProperties: false, minProperties: 1, examples: [{ name: 'Acme Ltd' }] },
)

// Events: stream `owner-<id>`.

export type OwnerCreated = { type: 'OwnerCreated'; data: { name: string } }
export type OwnerRenamed = { type: 'OwnerRenamed'; data: { name: string } }
/** The API keys of a disabled owner are refused. */
export type OwnerDisabled = { type: 'OwnerDisabled'; data: Record<string, never> }
export type OwnerEnabled = { type: 'OwnerEnabled'; data: Record<string, never> }
/** Each version of the secret derives from SIGNING_SECRET; versions count from 1. `rotated_at` is ISO 8601. */
export type OwnerWebhookSecretRotated = {
  type: 'OwnerWebhookSecretRotated'
  data: { version: number; rotated_at: string }
}
export type OwnerEvent = OwnerCreated | OwnerRenamed | OwnerDisabled | OwnerEnabled | OwnerWebhookSecretRotated
