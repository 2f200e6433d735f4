import { OpenEnum } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { OwnerId } from '../ids/owner-id.ts'
import { DeliveryId } from './delivery.ts'

// Messages from the gateway to a notifier, without JetStream: nothing is recorded or repeated.

/** Notifiers share it. */
export const webhookTestSubject = 'webhooks.test'

/** The `type` of each webhook. */
export const WebhookType = OpenEnum(['generation.completed', 'generation.failed', 'generation.cancelled'], {
  title: 'WebhookType',
})
export type WebhookType = Static<typeof WebhookType>

export const TestWebhook = Type.Object({
  delivery_id: DeliveryId,
  owner_id: OwnerId,
  webhook_url: Type.String(),
  type: WebhookType,
})
export type TestWebhook = Static<typeof TestWebhook>

/** The result: the status of the answer, or why there was none. */
export const TestOutcome = Type.Object({
  status: Type.Optional(Type.Integer({ description: 'HTTP status of the answer' })),
  error: Type.Optional(Type.String({ description: 'why there was no answer' })),
  duration_ms: Type.Integer(),
  response: Type.Optional(Type.String({ description: 'the first KiB of the body of the answer' })),
})
export type TestOutcome = Static<typeof TestOutcome>

/** The notifier has answered by then. */
export const webhookTestMs = 10_000
