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
  owner_id: Type.Optional(Type.String({ description: 'in a list of all owners', examples: ['own_default'] })),
  generation_id: Type.Optional(Type.String({ examples: ['pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'] })),
  batch_id: Type.Optional(
    Type.String({
      description: 'instead, if it is the webhook of a batch',
      examples: ['bat_01k9x2v7w3d5e8f0g2h4j6k8m0'],
    }),
  ),
  type: Type.String({ examples: ['generation.completed'] }),
  url: Type.String(),
  status: DeliveryStatus,
  created_at: Timestamp,
  next_attempt_at: Type.Optional(Timestamp),
  reason: Type.Optional(Type.String({ description: 'why an exhausted delivery has ended' })),
  attempts: Type.Array(DeliveryAttempt, { description: 'oldest first; the newest 100, in lists the newest 20' }),
  body: Type.Optional(Type.String({ description: 'the body that is sent; not in lists' })),
})
export type Delivery = Static<typeof Delivery>

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
