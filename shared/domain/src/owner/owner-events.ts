import { Type } from 'typebox'
import { defineEvent, type Recorded } from '../events/define-event.ts'
import { Anything, None, Text } from '../events/fields.ts'

// The gateway and the command line record these events; the template service publishes them.

const owner = { category: 'owner', relay: 'template' } as const

export const ownerStream = (ownerId: string) => `owner-${ownerId}`

const id = 'own_01k9x2v7w3d5e8f0g2h4j6k8m0'

export const OwnerCreated = defineEvent({
  type: 'OwnerCreated',
  aggregate: owner,
  summary: 'An owner was created.',
  data: Type.Object({ name: Text }),
  describe: ({ name }) => ['owner created', `"${name}"`],
  example: { id, data: { name: 'Acme' } },
})

export const OwnerRenamed = defineEvent({
  type: 'OwnerRenamed',
  aggregate: owner,
  summary: 'An owner has another name.',
  data: Type.Object({ name: Text }),
  describe: ({ name }) => ['owner renamed', `"${name}"`],
  example: { id, data: { name: 'Acme Ltd' } },
})

export const OwnerDisabled = defineEvent({
  type: 'OwnerDisabled',
  aggregate: owner,
  summary: 'The API keys of an owner are refused.',
  data: Anything,
  describe: () => ['owner disabled'],
  published: { subject: 'owner.disabled', data: None, toPublic: () => ({}) },
  example: { id, data: {} },
})

export const OwnerEnabled = defineEvent({
  type: 'OwnerEnabled',
  aggregate: owner,
  summary: 'The API keys of a disabled owner are accepted again.',
  data: Anything,
  describe: () => ['owner enabled'],
  published: { subject: 'owner.enabled', data: None, toPublic: () => ({}) },
  example: { id, data: {} },
})

/** Each version of the secret derives from SIGNING_SECRET; versions count from 1. `rotated_at` is ISO 8601. */
export const OwnerWebhookSecretRotated = defineEvent({
  type: 'OwnerWebhookSecretRotated',
  aggregate: owner,
  summary: 'The webhooks of an owner are signed with another secret.',
  data: Type.Object({ version: Type.Integer({ minimum: 1 }), rotated_at: Text }),
  describe: ({ version }) => ['webhook secret rotated', `version ${version}`],
  example: { id, data: { version: 2, rotated_at: '2026-01-31T12:00:00.000Z' } },
})

export const ownerEvents = { OwnerCreated, OwnerRenamed, OwnerDisabled, OwnerEnabled, OwnerWebhookSecretRotated }
export type OwnerEvent = Recorded<(typeof ownerEvents)[keyof typeof ownerEvents]>
