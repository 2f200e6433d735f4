// Events: stream `delivery-<msg id>`. One delivery is one event told to one URL, over as many attempts as it takes.

export type DeliveryScheduled = {
  type: 'DeliveryScheduled'
  data: {
    generation_id: string
    api_key_id: string
    url: string
    /** Id of the event that is told. */
    event_id: string
    /** The exact bytes of the POST, the same on every attempt (UTF-8). */
    body: string
    /** When the first attempt is due, ISO 8601. */
    next_at: string
  }
}
/** One failed attempt. `next_at` is absent on the last one. */
export type DeliveryAttempted = {
  type: 'DeliveryAttempted'
  data: { attempt: number; status?: number; error?: string; duration_ms: number; next_at?: string }
}
export type DeliverySucceeded = {
  type: 'DeliverySucceeded'
  data: { attempt: number; status: number; duration_ms: number }
}
export type DeliveryExhausted = { type: 'DeliveryExhausted'; data: { attempts: number; reason: string } }
export type DeliveryEvent = DeliveryScheduled | DeliveryAttempted | DeliverySucceeded | DeliveryExhausted
