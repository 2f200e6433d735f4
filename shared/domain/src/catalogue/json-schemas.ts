import { opened, openValues } from '@platen/foundation/json/json.ts'
import { Type } from 'typebox'
import { type PublishedEventType, publishedEvents, publishedTypes } from './events.ts'
import { cloudEventType, publicExample, schemaFileOf } from './messages.ts'

/** The attributes of every message, without `type` and `data`. */
export const envelope = Type.Object({
  specversion: Type.Literal('1.0'),
  id: Type.String({ description: "the event's id, also the `Nats-Msg-Id` of the message" }),
  source: Type.String({ description: 'the deployment and its service: `<deployment>/renderer`' }),
  subject: Type.String({ description: "the aggregate's id, such as `pdf_…` or `tpl_…`" }),
  time: Type.String({ format: 'date-time', description: 'when it happened' }),
  datacontenttype: Type.Literal('application/json'),
  dataschema: Type.String({ format: 'uri', description: 'the JSON schema of `data`' }),
  revision: Type.Integer({ minimum: 0, description: 'the number of the event in the stream of its aggregate' }),
  correlationid: Type.Optional(Type.String({ description: 'the `x-request-id` of the request that caused it' })),
  causationid: Type.Optional(Type.String({ description: 'the id of the command that caused it' })),
  traceparent: Type.Optional(Type.String({ description: 'W3C Trace Context' })),
})

/** The JSON schema (2020-12) of the data of each event, by the name of its file. */
export function dataSchemas(): ReadonlyMap<string, object> {
  return new Map(
    publishedTypes.map((type) => {
      const { summary, published } = publishedEvents[type]
      const head = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: type, description: summary }
      return [schemaFileOf(type), plain({ ...head, ...published.data, examples: [publicExample(type)] })]
    }),
  )
}

/** A whole message of this type. */
export function messageExample(type: PublishedEventType, schemas: string) {
  const { example, aggregate } = publishedEvents[type]
  return {
    specversion: '1.0',
    id: '5e0c1c0e-3b0c-8f4e-9a51-2c8a4be1f8d2',
    source: `dep_01k9x2v7w3d5e8f0g2h4j6k8m0/${aggregate.relay}`,
    type: cloudEventType(type),
    subject: example.id,
    time: '2026-01-31T12:00:00.000Z',
    datacontenttype: 'application/json',
    dataschema: `${schemas}/${schemaFileOf(type)}`,
    data: publicExample(type),
    revision: 2,
    correlationid: 'req_01k9x2v7vz3f4g5h6j7k8m9n0p',
    causationid: '0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123',
  }
}

/**
 * The schema without symbols of TypeBox and keywords of our own, which strict validators refuse. The description of an
 * `OpenEnum` lists its values.
 */
export function plain(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_, node) => {
    if (!isNode(node)) return node
    const { [openValues]: __, ...standard } = opened(node)
    return openValues in node ? standard : node
  })
}

const isNode = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
