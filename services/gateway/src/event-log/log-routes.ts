import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { knownCategories } from '@platen/domain/catalogue/event-catalogue.ts'
import { events } from '@platen/domain/catalogue/events.ts'
import { EventCategory, type RecordedEvent } from '@platen/domain/event-log/recorded-event.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { type EventStore, InvalidName, type Position, type StoredEvent } from '@platen/event-store/event-store.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { clientDisconnected } from '../http/errors/disconnects.ts'
import { invalidField } from '../http/errors/field-problems.ts'
import { errorResponses, pageOf, RecordedEventRef } from '../http/openapi/route-schemas.ts'
import { defaultLimit, pageQuery, Time, timeField } from '../http/pagination.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import { eventBody, wholeEventBody } from './event-body.ts'
import { type LogFilter, requireKnown, searchLog } from './search-log.ts'

export interface LogRoutesOptions {
  store: EventStore
  reader: StreamReader
}

export const tags = ['Operations']
export const forAdmin = { onRequest: needsScope('admin') }

export const logQuery = {
  category: Type.Optional(Type.String({ maxLength: 50, description: 'Only events of this kind of streams.' })),
  type: Type.Optional(Type.String({ maxLength: 100, description: 'Only events of this type.' })),
  request_id: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only what this request has caused: the `x-request-id` of its response.',
    }),
  ),
}
const listQuery = {
  ...logQuery,
  created_after: Type.Optional(Time('Only events recorded at this time or later.')),
  created_before: Type.Optional(Time('Only events recorded earlier than this time.')),
}

const categories = Object.entries(Object.groupBy(Object.values(events), ({ aggregate }) => aggregate.category)).map(
  ([category, defined = []]): EventCategory => ({
    category,
    stream: `${category}-${defined[0]?.example.id}`,
    types: defined.map(({ type }) => type),
  }),
)

/** The log, and the streams that it consists of, for operators. */
export const logRoutes: FastifyPluginAsyncTypebox<LogRoutesOptions> = async (app, { store, reader }) => {
  app.get('/events/categories', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'listEventCategories',
      summary: 'List the kinds of streams, with the types of their events',
      querystring: Type.Object({}, { additionalProperties: false }),
      response: {
        200: Type.Object({ data: Type.Array(EventCategory) }, { title: 'EventCategoryList' }),
        ...errorResponses(),
      },
    },
    handler: async () => ({ data: categories }),
  })

  app.get('/events', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'listEvents',
      summary: 'List the events of the log',
      description:
        'Of all owners, oldest first. `cursor` is the position of an event: later ones follow. A page may have fewer events than `limit`, or none, and a `next_cursor`: what one request reads is bounded.',
      querystring: Type.Object({ ...pageQuery, ...listQuery }, { additionalProperties: false }),
      response: {
        200: pageOf('EventPage', RecordedEventRef, 'A page of events.'),
        ...errorResponses('VALIDATION_ERROR'),
      },
    },
    async handler(request, reply) {
      const { limit = defaultLimit, cursor, ...query } = request.query
      const filter = filterOf(query)
      releaseSlot(request)
      const signal = clientDisconnected(reply)
      const after = (cursor ?? 'start') as Position | 'start'
      const { events, next } = await searchLog(store, filter, { after, limit, show: eventBody, signal })
      return { data: events, ...defined({ next_cursor: next }) }
    },
  })

  const StreamName = Type.String({
    description: 'Name of the stream.',
    examples: ['generation-pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'],
  })

  app.get('/streams/:stream/events', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'listStreamEvents',
      summary: 'List the events of a stream',
      description: 'Oldest first. Empty if there is no such stream.',
      params: Type.Object({ stream: StreamName }),
      querystring: Type.Object(pageQuery, { additionalProperties: false }),
      response: {
        200: pageOf('StreamEventPage', RecordedEventRef, 'A page of events.'),
        ...errorResponses('VALIDATION_ERROR'),
      },
    },
    async handler({ params: { stream }, query: { limit = defaultLimit, cursor } }) {
      const from = cursor === undefined ? 0 : revisionOf(cursor) + 1
      const found = await readRevisions(reader, stream, { from, limit: limit + 1, show: eventBody })
      const page = found.slice(0, limit)
      const last = page.at(-1)
      return {
        data: page,
        ...(found.length > limit && last && { next_cursor: String(last.revision) }),
      }
    },
  })

  app.get('/streams/:stream/events/:revision', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'getEvent',
      summary: 'Get an event of a stream, with all of its data',
      params: Type.Object({
        stream: StreamName,
        revision: Type.String({ description: 'Its place in the stream, from 0.', examples: ['0'] }),
      }),
      querystring: Type.Object({}, { additionalProperties: false }),
      response: { 200: RecordedEventRef, ...errorResponses('EVENT_NOT_FOUND') },
    },
    async handler({ params: { stream, revision } }) {
      const from = isRevision(revision) ? Number(revision) : undefined
      const reading = { limit: 1, show: wholeEventBody }
      const [event] = from === undefined ? [] : await readRevisions(reader, stream, { from, ...reading })
      if (event === undefined || event.revision !== from) return eventNotFound(stream, revision)
      return event
    },
  })
}

export function filterOf(query: {
  category?: string
  type?: string
  request_id?: string
  created_after?: string
  created_before?: string
}): LogFilter {
  requireKnown(query)
  const { category, type, request_id: requestId, created_after, created_before } = query
  return {
    categories: category === undefined ? [...knownCategories] : [category],
    type,
    requestId,
    since: created_after === undefined ? Number.NEGATIVE_INFINITY : timeField('created_after', created_after),
    until: created_before === undefined ? Number.POSITIVE_INFINITY : timeField('created_before', created_before),
  }
}

async function readRevisions(
  reader: StreamReader,
  stream: string,
  { show, ...range }: { from: number; limit: number; show: (event: StoredEvent) => RecordedEvent },
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = []
  try {
    for await (const event of reader.readStream(stream, range)) events.push(show(event))
  } catch (err) {
    if (!(err instanceof InvalidName)) throw err
  }
  return events
}

const isRevision = (text: string) => /^(0|[1-9]\d{0,8})$/.test(text)

function revisionOf(cursor: string): number {
  if (isRevision(cursor)) return Number(cursor)
  return invalidField('cursor', 'must be the next_cursor of an earlier page of this list')
}

function eventNotFound(stream: string, revision: string): never {
  return fail('EVENT_NOT_FOUND', `There is no event ${readable(revision)} of the stream ${readable(stream)}`)
}
