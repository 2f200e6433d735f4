// Events: stream `delivery-<msg id>`. A delivery sends one event to one URL, in one or more attempts.

export type DeliveryScheduled = {
  type: 'DeliveryScheduled'
  data: {
    generation_id: string
    /** Absent in events of versions without owners: the owner of the API key. */
    owner_id?: string
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
  data: { attempt: number; status?: number; error?: string; duration_ms: number; next_at?: string }
}
export type DeliverySucceeded = {
  type: 'DeliverySucceeded'
  data: { attempt: number; status: number; duration_ms: number }
}
export type DeliveryExhausted = { type: 'DeliveryExhausted'; data: { attempts: number; reason: string } }
export type DeliveryEvent = DeliveryScheduled | DeliveryAttempted | DeliverySucceeded | DeliveryExhausted
