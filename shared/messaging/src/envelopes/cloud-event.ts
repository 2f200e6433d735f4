import type { Json } from '@platen/foundation/json/json.ts'

/**
 * The body of every message on the EVENTS stream: CloudEvents 1.0 in JSON structured mode
 * (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md) with our extension attributes.
 */
export type CloudEvent = {
  specversion: '1.0'
  /** The event's id in the event store; also the message's `Nats-Msg-Id`. */
  id: string
  /** The deployment, and its service that publishes the event. */
  source: string
  /** A reverse domain name and the event's type in the log. */
  type: string
  /** The aggregate's id. */
  subject: string
  time: string
  datacontenttype: 'application/json'
  /** The URL of the JSON schema of `data`. */
  dataschema: string
  data: Json
  /** Position in the aggregate's stream, from 0. */
  revision: number
  /** The id of the request that caused the event. */
  correlationid?: string
  /** The id of the command that caused the event. */
  causationid?: string
  /** W3C Trace Context. */
  traceparent?: string
}
