import { Type } from 'typebox'
import { ApiKeyId, GenerationId, OwnerId, Time } from '../events/fields.ts'
import { publishedEvent } from '../events/published-event.ts'
import { redactUrls } from '../events/redact.ts'
import type {
  DeliveryAttempted,
  DeliveryExhausted,
  DeliveryRescheduled,
  DeliveryScheduled,
  DeliverySucceeded,
  EndpointDisabled,
  EndpointEnabled,
} from './delivery.ts'

// The URL of a webhook is a secret of its receiver, the body has a signed address of the file, and a response may have
// anything: none of them is published. `GET /v1/deliveries/<id>` returns them to the owner.

const Attempt = Type.Integer({ minimum: 1, description: 'counts from 1' })
const Status = Type.Integer({ description: 'HTTP status of the answer' })
const Duration = Type.Integer({ minimum: 0 })
const DeliveryId = Type.String({ description: 'the delivery (`msg_…`)' })

export const deliveryEvents = {
  DeliveryScheduled: publishedEvent({
    version: 1,
    summary: 'A webhook is to be sent.',
    data: Type.Object({
      generation_id: GenerationId,
      owner_id: OwnerId,
      api_key_id: ApiKeyId,
      event_id: Type.String({ description: 'the id of the event that it reports' }),
      next_at: Type.String({ ...Time, description: 'when the first attempt is due' }),
    }),
    example: {
      generation_id: 'pdf_01k9x2v7w3d5e8f0g2h4j6k8m0',
      owner_id: 'own_default',
      api_key_id: 'key_5x0w8z7v3d2e8f0g2h4j6k8m0a',
      event_id: '5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2',
      next_at: '2026-01-31T12:00:01.000Z',
    },
    toPublic: ({ generation_id, owner_id, api_key_id, event_id, next_at }: DeliveryScheduled['data']) => ({
      ...{ generation_id, owner_id, api_key_id, event_id, next_at },
    }),
  }),
  DeliveryAttempted: publishedEvent({
    version: 1,
    summary: 'An attempt to send a webhook has failed.',
    data: Type.Object({
      attempt: Attempt,
      status: Type.Optional(Status),
      error: Type.Optional(Type.String({ description: 'why there was no answer' })),
      duration_ms: Duration,
      next_at: Type.Optional(Type.String({ ...Time, description: 'absent after the last attempt' })),
    }),
    example: { attempt: 1, status: 503, duration_ms: 24, next_at: '2026-01-31T12:00:06.000Z' },
    toPublic: ({ attempt, status, error, duration_ms, next_at }: DeliveryAttempted['data']) => ({
      attempt,
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error: redactUrls(error) }),
      duration_ms,
      ...(next_at !== undefined && { next_at }),
    }),
  }),
  DeliverySucceeded: publishedEvent({
    version: 1,
    summary: 'The receiver of a webhook has answered with 2xx.',
    data: Type.Object({ attempt: Attempt, status: Status, duration_ms: Duration }),
    example: { attempt: 2, status: 204, duration_ms: 31 },
    toPublic: ({ attempt, status, duration_ms }: DeliverySucceeded['data']) => ({ attempt, status, duration_ms }),
  }),
  DeliveryExhausted: publishedEvent({
    version: 1,
    summary: 'A webhook is not sent again, unless a redelivery is requested.',
    data: Type.Object({ attempts: Type.Integer({ minimum: 0 }), reason: Type.String() }),
    example: { attempts: 10, reason: 'the last attempt failed' },
    toPublic: ({ attempts, reason }: DeliveryExhausted['data']) => ({ attempts, reason: redactUrls(reason) }),
  }),
  DeliveryRescheduled: publishedEvent({
    version: 1,
    summary: 'A redelivery was requested.',
    data: Type.Object({ attempt: Attempt, next_at: Time }),
    example: { attempt: 11, next_at: '2026-02-03T09:00:00.000Z' },
    toPublic: ({ attempt, next_at }: DeliveryRescheduled['data']) => ({ attempt, next_at }),
  }),
}

export const endpointEvents = {
  EndpointDisabled: publishedEvent({
    version: 1,
    summary: 'A webhook URL of an owner gets no webhooks any more.',
    data: Type.Object({
      owner_id: Type.String({ description: 'the owner (`own_…`)' }),
      reason: Type.String({ description: '`gone`: it answered 410. `failing`: every attempt has failed for days' }),
      failing_since: Type.Optional(Time),
      delivery_id: DeliveryId,
    }),
    example: { owner_id: 'own_default', reason: 'gone', delivery_id: 'msg_01k9x2v7w3d5e8f0g2h4j6k8m0' },
    toPublic: ({ owner_id, reason, failing_since, delivery_id }: EndpointDisabled['data']) => ({
      ...{ owner_id, reason, delivery_id },
      ...(failing_since !== undefined && { failing_since }),
    }),
  }),
  EndpointEnabled: publishedEvent({
    version: 1,
    summary: 'A redelivery to a disabled webhook URL has succeeded.',
    data: Type.Object({ delivery_id: DeliveryId }),
    example: { delivery_id: 'msg_01k9x2v7w3d5e8f0g2h4j6k8m0' },
    toPublic: ({ delivery_id }: EndpointEnabled['data']) => ({ delivery_id }),
  }),
}
