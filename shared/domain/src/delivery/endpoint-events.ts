import { defined } from '@platen/foundation/json/defined.ts'
import { Type } from 'typebox'
import { defineEvent, type Recorded } from '../events/define-event.ts'
import { known, Text, Time } from '../events/fields.ts'
import { redactUrls } from '../events/redact.ts'

// An endpoint is a webhook URL of an owner.

const endpoint = { category: 'endpoint', relay: 'notifier' } as const

export const endpointStream = (endpointId: string) => `endpoint-${endpointId}`

const id = 'end_5x0w8z7v3d2e8f0g2h4j6k8m0a'
const DeliveryId = Type.String({ description: 'the delivery (`msg_…`)' })

/** No webhooks are sent to the endpoint any more, apart from redeliveries. */
export const EndpointDisabled = defineEvent({
  type: 'EndpointDisabled',
  aggregate: endpoint,
  summary: 'A webhook URL of an owner gets no webhooks any more.',
  data: known<{
    owner_id: string
    url: string
    /** `gone`: it answered 410. `failing`: every attempt has failed for days. */
    reason: 'gone' | 'failing'
    /** When the attempts began to fail, ISO 8601. */
    failing_since?: string
    /** The delivery whose attempt failed last. */
    delivery_id: string
  }>(Type.Object({ owner_id: Text, url: Text, reason: Text })),
  describe: ({ url, reason, failing_since }) => [
    'webhook URL disabled',
    redactUrls(url),
    reason === 'gone' ? 'it answered 410' : `failing since ${failing_since}`,
  ],
  published: {
    subject: 'endpoint.disabled',
    data: Type.Object({
      owner_id: Type.String({ description: 'the owner (`own_…`)' }),
      reason: Type.String({ description: '`gone`: it answered 410. `failing`: every attempt has failed for days' }),
      failing_since: Type.Optional(Time),
      delivery_id: DeliveryId,
    }),
    toPublic: ({ owner_id, reason, failing_since, delivery_id }) => ({
      owner_id,
      reason,
      delivery_id,
      ...defined({ failing_since }),
    }),
  },
  example: {
    id,
    data: {
      owner_id: 'own_default',
      url: 'https://hooks.example.com/platen?token=secret',
      reason: 'failing',
      failing_since: '2026-01-26T12:00:00.000Z',
      delivery_id: 'msg_01k9x2v7w3d5e8f0g2h4j6k8m0',
    },
  },
})
export type EndpointDisabled = Recorded<typeof EndpointDisabled>

export const EndpointEnabled = defineEvent({
  type: 'EndpointEnabled',
  aggregate: endpoint,
  summary: 'A redelivery to a disabled webhook URL has succeeded.',
  data: known<{ delivery_id: string }>(Type.Unknown()),
  describe: ({ delivery_id }) => ['webhook URL enabled', delivery_id && `${delivery_id} has succeeded`],
  published: {
    subject: 'endpoint.enabled',
    data: Type.Object({ delivery_id: DeliveryId }),
    toPublic: ({ delivery_id }) => ({ delivery_id }),
  },
  example: { id, data: { delivery_id: 'msg_01k9x2v7w3d5e8f0g2h4j6k8m0' } },
})
export type EndpointEnabled = Recorded<typeof EndpointEnabled>

export const endpointEvents = { EndpointDisabled, EndpointEnabled }
export type EndpointEvent = Recorded<(typeof endpointEvents)[keyof typeof endpointEvents]>
