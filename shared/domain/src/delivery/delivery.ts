import { StringEnum, Timestamp } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'

export const DeliveryId = Type.String({ pattern: '^msg_[0-9a-z]{26}$' })

export const DeliveryStatus = StringEnum(['pending', 'succeeded', 'exhausted'], { title: 'DeliveryStatus' })
export type DeliveryStatus = Static<typeof DeliveryStatus>

const DeliveryAttempt = Type.Object(
  {
    attempt: Type.Integer({ minimum: 1 }),
    at: Timestamp,
    status: Type.Optional(Type.Integer({ description: 'HTTP status of the answer' })),
    error: Type.Optional(Type.String({ description: 'why there was no answer' })),
    duration_ms: Type.Integer(),
    response: Type.Optional(Type.String({ description: 'the first KiB of the body of the answer' })),
  },
  { title: 'DeliveryAttempt' },
)
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

/** A delivery in HTTP responses. */
export const Delivery = Type.Object({
  id: Type.String({
    description: 'also the `webhook-id` of the request',
    examples: ['msg_01k9x2v7w3d5e8f0g2h4j6k8m0'],
  }),
  generation_id: Type.String({ examples: ['pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'] }),
  type: Type.String({ examples: ['generation.completed'] }),
  url: Type.String(),
  status: DeliveryStatus,
  created_at: Timestamp,
  next_attempt_at: Type.Optional(Timestamp),
  reason: Type.Optional(Type.String({ description: 'why an exhausted delivery has ended' })),
  attempts: Type.Array(DeliveryAttempt, { description: 'oldest first' }),
})
export type Delivery = Static<typeof Delivery>

// Events: stream `delivery-<msg id>`. A delivery sends one event to one URL, in one or more attempts.

export type DeliveryScheduled = {
  type: 'DeliveryScheduled'
  data: {
    generation_id: string
    owner_id: string
    api_key_id: string
    url: string
    /** Id of the event to deliver. */
    event_id: string
    /** The body of the POST, the same on every attempt. */
    body: string
    /** When the first attempt is due, ISO 8601. */
    next_at: string
  }
}
/** A failed attempt. `next_at` is absent after the last one. */
export type DeliveryAttempted = {
  type: 'DeliveryAttempted'
  data: {
    attempt: number
    status?: number
    error?: string
    duration_ms: number
    /** The beginning of the response body. Absent if it was empty. */
    response?: string
    next_at?: string
  }
}
export type DeliverySucceeded = {
  type: 'DeliverySucceeded'
  data: { attempt: number; status: number; duration_ms: number; response?: string }
}
export type DeliveryExhausted = { type: 'DeliveryExhausted'; data: { attempts: number; reason: string } }
/** A redelivery was requested: the schedule begins again with this attempt, whether the delivery had ended or not. */
export type DeliveryRescheduled = {
  type: 'DeliveryRescheduled'
  data: { url: string; attempt: number; next_at: string }
}
export type DeliveryEvent =
  | DeliveryScheduled
  | DeliveryAttempted
  | DeliverySucceeded
  | DeliveryExhausted
  | DeliveryRescheduled

// Events: stream `endpoint-<end id>`. An endpoint is a webhook URL of an owner.

/** No webhooks are sent to the endpoint any more, apart from redeliveries. */
export type EndpointDisabled = {
  type: 'EndpointDisabled'
  data: {
    owner_id: string
    url: string
    /** `gone`: it answered 410. `failing`: every attempt has failed for days. */
    reason: 'gone' | 'failing'
    /** When the attempts began to fail, ISO 8601. */
    failing_since?: string
    /** The delivery whose attempt failed last. */
    delivery_id: string
  }
}
/** A redelivery has succeeded. */
export type EndpointEnabled = { type: 'EndpointEnabled'; data: { delivery_id: string } }
export type EndpointEvent = EndpointDisabled | EndpointEnabled

// Commands from the gateway to the notifier.

export const RedeliverDelivery = Type.Object({
  type: Type.Literal('RedeliverDelivery'),
  data: Type.Object({ delivery_id: DeliveryId }),
})
export type RedeliverDelivery = Static<typeof RedeliverDelivery>

/** Deliveries of an owner that were scheduled from `since`, inclusive, to `until`, exclusive. */
export const RedeliverDeliveries = Type.Object({
  type: Type.Literal('RedeliverDeliveries'),
  data: Type.Object({ owner_id: Type.String(), since: Timestamp, until: Timestamp, status: DeliveryStatus }),
})
export type RedeliverDeliveries = Static<typeof RedeliverDeliveries>

export const DeliveryCommand = Type.Union([RedeliverDelivery, RedeliverDeliveries])
export type DeliveryCommand = Static<typeof DeliveryCommand>

/** `next_since`: there are more deliveries in the range, from this time on. */
export type RedeliverAnswer = { redelivered: number; next_since?: string }
