import { type PublishedEventType, publishedEvents, publishedTypes } from './events.ts'
import { envelope, messageExample, plain } from './json-schemas.ts'
import { cloudEventType, schemaFileOf } from './messages.ts'

const schemas = 'https://pdf.example.com/schemas'

const description = `Platen publishes every change of a template, a generation and a webhook on NATS JetStream, in the stream EVENTS.
A message is a CloudEvent 1.0 in the structured JSON mode. Events come at least once, and those of an aggregate in order.`

const header = (text: string) => ({ type: 'string', description: text })

/** The headers that a subscriber may rely on. */
const messageHeaders = {
  type: 'object',
  properties: {
    'Nats-Msg-Id': header('The `id` of the event. In a replay, a colon and the id of the replay follow.'),
    'Platen-Position': header('The position of the event in the event store.'),
    'Platen-Resume-After': header(
      'All events of the service up to here were in the stream before. Publishing resumes there.',
    ),
    'Platen-CRC32': header('The CRC-32 (ISO 3309) of the data as they were published, in eight hexadecimal digits.'),
    'Platen-Replay': header('The id of the replay that published the event again. Without it the event is new.'),
  },
}

/** The AsyncAPI 3.0 document of the events. The schemas of `data` are files beside it, in `schemas/`. */
export function asyncApi(version: string): object {
  return plain({
    asyncapi: '3.0.0',
    info: { title: 'Platen events', version, description, license: { name: 'MIT' } },
    defaultContentType: 'application/cloudevents+json',
    servers: {
      nats: {
        host: '127.0.0.1:14222',
        protocol: 'nats',
        description: 'the NATS server of `npm start`; `platen nats-url` prints its URL with the password',
      },
    },
    channels: Object.fromEntries(publishedTypes.map((type) => [channelOf(type), channel(type)])),
    operations: Object.fromEntries(
      publishedTypes.map((type) => [
        `on${type}`,
        {
          action: 'receive',
          channel: { $ref: `#/channels/${channelOf(type)}` },
          messages: [{ $ref: `#/channels/${channelOf(type)}/messages/${type}` }],
        },
      ]),
    ),
    components: {
      messages: Object.fromEntries(publishedTypes.map((type) => [type, message(type)])),
      schemas: { CloudEvent: envelope, MessageHeaders: messageHeaders },
    },
  })
}

function channelOf(type: PublishedEventType): string {
  return publishedEvents[type].published.subject.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase())
}

function channel(type: PublishedEventType) {
  return {
    address: `events.${publishedEvents[type].published.subject}.{id}`,
    messages: { [type]: { $ref: `#/components/messages/${type}` } },
    parameters: { id: { description: 'the id of the aggregate, also the `subject` of the event' } },
    servers: [{ $ref: '#/servers/nats' }],
  }
}

function message(type: PublishedEventType) {
  const { summary } = publishedEvents[type]
  return {
    name: type,
    title: type,
    summary,
    contentType: 'application/cloudevents+json',
    headers: { $ref: '#/components/schemas/MessageHeaders' },
    payload: {
      allOf: [
        { $ref: '#/components/schemas/CloudEvent' },
        {
          type: 'object',
          required: ['type', 'data'],
          properties: {
            type: { type: 'string', const: cloudEventType(type) },
            data: { $ref: `./schemas/${schemaFileOf(type)}` },
          },
        },
      ],
    },
    examples: [{ name: type, payload: messageExample(type, schemas) }],
  }
}
