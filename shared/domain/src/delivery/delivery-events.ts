import { defined } from '@platen/foundation/json/defined.ts'
import { Type } from 'typebox'
import { defineEvent, type Recorded } from '../events/define-event.ts'
import { ApiKeyId, Count, GenerationId, known, OwnerId, Text, Time } from '../events/fields.ts'
import { redactUrls } from '../events/redact.ts'

// A delivery sends one event to one URL, in one or more attempts. None of these events is published: the URL of a
// webhook is a secret of its receiver, the body has a signed address of the file, and a response may contain anything.
// `GET /v1/deliveries/<id>` returns them to the owner.

const delivery = { category: 'delivery', relay: 'notifier' } as const

export const deliveryStream = (deliveryId: string) => `delivery-${deliveryId}`

const id = 'msg_01k9x2v7w3d5e8f0g2h4j6k8m0'
const Attempt = Type.Integer({ minimum: 1, description: 'counts from 1' })
const Status = Type.Integer({ description: 'HTTP status of the answer' })
const Duration = Type.Integer({ minimum: 0 })

export const DeliveryScheduled = defineEvent({
  type: 'DeliveryScheduled',
  aggregate: delivery,
  summary: 'A webhook is to be sent.',
  data: Type.Object({
    /** One of the two. */
    generation_id: Type.Optional(Text),
    batch_id: Type.Optional(Text),
    owner_id: Text,
    api_key_id: Text,
    url: Text,
    /** Id of the event to deliver. */
    event_id: Text,
    /** The body of the request, the same on every attempt. */
    body: Text,
    /** Default: POST. */
    method: Type.Optional(Text),
    /** Sent with the request. */
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** The object of this key is sent instead of the body. */
    object_key: Type.Optional(Text),
    /** When the first attempt is due, ISO 8601. */
    next_at: Text,
  }),
  describe: ({ url }) => ['webhook scheduled', `to ${redactUrls(url)}`],
  published: {
    subject: 'delivery.scheduled',
    data: Type.Object({
      generation_id: Type.Optional(GenerationId),
      batch_id: Type.Optional(Type.String({ description: 'the batch (`bat_…`), if the webhook is that of a batch' })),
      owner_id: OwnerId,
      api_key_id: ApiKeyId,
      event_id: Type.String({ description: 'the id of the event that it reports' }),
      next_at: Type.String({ ...Time, description: 'when the first attempt is due' }),
    }),
    toPublic: ({ generation_id, batch_id, owner_id, api_key_id, event_id, next_at }) => ({
      ...defined({ generation_id, batch_id }),
      owner_id,
      api_key_id,
      event_id,
      next_at,
    }),
  },
  example: {
    id,
    data: {
      generation_id: 'pdf_01k9x2v7w3d5e8f0g2h4j6k8m0',
      owner_id: 'own_default',
      api_key_id: 'key_5x0w8z7v3d2e8f0g2h4j6k8m0a',
      url: 'https://hooks.example.com/platen?token=secret',
      event_id: '5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2',
      body: '{"type":"generation.completed"}',
      next_at: '2026-01-31T12:00:01.000Z',
    },
  },
})
export type DeliveryScheduled = Recorded<typeof DeliveryScheduled>

/** `next_at` is absent after the last attempt. */
export const DeliveryAttempted = defineEvent({
  type: 'DeliveryAttempted',
  aggregate: delivery,
  summary: 'An attempt to send a webhook has failed.',
  data: known<{
    attempt: number
    status?: number
    error?: string
    duration_ms: number
    /** The beginning of the response body. Absent if it was empty. */
    response?: string
    next_at?: string
  }>(Type.Object({ attempt: Count, duration_ms: Type.Number(), next_at: Type.Optional(Text) })),
  describe: ({ attempt, status, error, duration_ms, next_at }) => [
    `webhook attempt ${attempt} failed`,
    `${status ?? error} in ${duration_ms} ms`,
    next_at === undefined ? 'no further attempt' : `next attempt at ${next_at}`,
  ],
  published: {
    subject: 'delivery.attempted',
    data: Type.Object({
      attempt: Attempt,
      status: Type.Optional(Status),
      error: Type.Optional(Type.String({ description: 'why there was no answer' })),
      duration_ms: Duration,
      next_at: Type.Optional(Type.String({ ...Time, description: 'absent after the last attempt' })),
    }),
    toPublic: ({ attempt, status, error, duration_ms, next_at }) => ({
      attempt,
      ...defined({ status }),
      ...(error !== undefined && { error: redactUrls(error) }),
      duration_ms,
      ...defined({ next_at }),
    }),
  },
  example: {
    id,
    data: { attempt: 1, status: 503, duration_ms: 24, response: 'secret', next_at: '2026-01-31T12:00:06.000Z' },
  },
})
export type DeliveryAttempted = Recorded<typeof DeliveryAttempted>

export const DeliverySucceeded = defineEvent({
  type: 'DeliverySucceeded',
  aggregate: delivery,
  summary: 'The receiver of a webhook has answered with 2xx.',
  data: known<{ attempt: number; status: number; duration_ms: number; response?: string }>(
    Type.Object({ attempt: Count }),
  ),
  describe: ({ attempt, status, duration_ms }) => [
    `webhook attempt ${attempt} succeeded`,
    `${status} in ${duration_ms} ms`,
  ],
  published: {
    subject: 'delivery.succeeded',
    data: Type.Object({ attempt: Attempt, status: Status, duration_ms: Duration }),
    toPublic: ({ attempt, status, duration_ms }) => ({ attempt, status, duration_ms }),
  },
  example: { id, data: { attempt: 2, status: 204, duration_ms: 31 } },
})
export type DeliverySucceeded = Recorded<typeof DeliverySucceeded>

export const DeliveryExhausted = defineEvent({
  type: 'DeliveryExhausted',
  aggregate: delivery,
  summary: 'A webhook is not sent again, unless a redelivery is requested.',
  data: known<{ attempts: number; reason: string }>(Type.Object({ attempts: Count })),
  describe: ({ attempts, reason }) => ['webhook given up', `after ${attempts} attempts`, reason],
  published: {
    subject: 'delivery.exhausted',
    data: Type.Object({ attempts: Type.Integer({ minimum: 0 }), reason: Type.String() }),
    toPublic: ({ attempts, reason }) => ({ attempts, reason: redactUrls(reason) }),
  },
  example: { id, data: { attempts: 10, reason: 'the last attempt failed' } },
})
export type DeliveryExhausted = Recorded<typeof DeliveryExhausted>

/**
 * The schedule begins again with this attempt, even if the delivery had not ended. The outcome of an earlier attempt
 * that is still running is not recorded.
 */
export const DeliveryRescheduled = defineEvent({
  type: 'DeliveryRescheduled',
  aggregate: delivery,
  summary: 'A redelivery was requested.',
  data: Type.Object({ url: Text, attempt: Count, next_at: Text }),
  describe: ({ attempt, next_at }) => ['webhook redelivery requested', `attempt ${attempt} at ${next_at}`],
  published: {
    subject: 'delivery.rescheduled',
    data: Type.Object({ attempt: Attempt, next_at: Time }),
    toPublic: ({ attempt, next_at }) => ({ attempt, next_at }),
  },
  example: {
    id,
    data: { url: 'https://hooks.example.com/platen?token=secret', attempt: 11, next_at: '2026-02-03T09:00:00.000Z' },
  },
})
export type DeliveryRescheduled = Recorded<typeof DeliveryRescheduled>

export const deliveryEvents = {
  DeliveryScheduled,
  DeliveryAttempted,
  DeliverySucceeded,
  DeliveryExhausted,
  DeliveryRescheduled,
}
export type DeliveryEvent = Recorded<(typeof deliveryEvents)[keyof typeof deliveryEvents]>
