import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { CloudEvent } from './cloud-event.ts'
import { MalformedMessage, parseJson } from './command-codec.ts'

const CloudEventSchema = Compile(
  Type.Object({
    specversion: Type.Literal('1.0'),
    id: Type.String({ minLength: 1 }),
    type: Type.String(),
    subject: Type.String({ minLength: 1 }),
    time: Type.String({ format: 'date-time' }),
    correlationid: Type.Optional(Type.String()),
    traceparent: Type.Optional(Type.String()),
  }),
)

/** Parses a CloudEvent without checking its `data`. Throws MalformedMessage. */
export function parseCloudEvent(bytes: Uint8Array): CloudEvent {
  const value = parseJson(bytes)
  if (CloudEventSchema.Check(value)) return value as unknown as CloudEvent
  const [first] = CloudEventSchema.Errors(value)
  throw new MalformedMessage(`not a CloudEvent: ${first?.instancePath || '/'} ${first?.message}`)
}
