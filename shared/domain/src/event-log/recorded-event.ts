import { JsonObject, Timestamp } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'

/** An event of the log, in HTTP responses for operators. */
export const RecordedEvent = Type.Object({
  position: Type.String({ description: 'its place in the log: send it as `cursor` to get later ones' }),
  id: Type.String(),
  stream: Type.String({ examples: ['generation-pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'] }),
  revision: Type.Integer({ minimum: 0, description: 'its place in the stream, from 0' }),
  category: Type.String({ description: 'the kind of the stream' }),
  type: Type.String({ examples: ['GenerationCompleted'] }),
  at: Type.String({ format: 'date-time', description: 'when what caused it was accepted' }),
  recorded_at: Timestamp,
  what: Type.String({ description: 'for a person' }),
  request_id: Type.Optional(Type.String({ description: 'the request that caused it' })),
  command_id: Type.Optional(Type.String({ description: 'the command that caused it' })),
  data: Type.Optional({
    ...JsonObject,
    description:
      'without tokens of URLs; in lists, longer texts than 500 characters and what follows the first 20,000 characters are cut, and `…` is in their place. Sources of templates are in it; of a document there is no content',
  }),
})
export type RecordedEvent = Static<typeof RecordedEvent>

/** A kind of streams. */
export const EventCategory = Type.Object(
  {
    category: Type.String({ examples: ['generation'] }),
    stream: Type.String({
      description: 'an example of the name of a stream',
      examples: ['generation-pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'],
    }),
    types: Type.Array(Type.String(), { description: 'its events' }),
  },
  { title: 'EventCategory' },
)
export type EventCategory = Static<typeof EventCategory>
