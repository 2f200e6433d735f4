import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { EventStore, Position } from '@platen/event-store/event-store.ts'
import { Places } from '@platen/foundation/runtime/places.ts'
import { Type } from 'typebox'
import { ownerOf } from '../api-keys/owner-of.ts'
import { eventStreamResponse, sendEvents } from '../event-streams/send-events.ts'
import { errorResponses } from '../http/openapi/route-schemas.ts'
import { resource } from '../http/resource.ts'
import { tooMany } from '../limits/patience.ts'
import { followEvents } from './follow-events.ts'
import { filterOf, forAdmin, type LogRoutesOptions, logQuery, logRoutes, tags } from './log-routes.ts'
import { requirePosition } from './search-log.ts'

interface FollowRouteOptions {
  store: EventStore
  /** When it aborts, open responses end. */
  stopping: AbortSignal
}

const followRoute: FastifyPluginAsyncTypebox<FollowRouteOptions> = async (app, { store, stopping }) => {
  const places = new Places({ all: 50, atMost: 10 })

  app.get('/events/follow', {
    ...forAdmin,
    schema: {
      tags,
      operationId: 'followEvents',
      summary: 'Follow the events of the log',
      description:
        'Server-sent events: `event` with an event as JSON, whose id is its position, from now on. After a broken connection browsers send the last id as `Last-Event-ID`, and get what came after it; `cursor` is the same.',
      headers: Type.Object({ 'last-event-id': Type.Optional(Type.String({ maxLength: 200 })) }),
      querystring: Type.Object(
        {
          ...logQuery,
          cursor: Type.Optional(Type.String({ maxLength: 200, description: 'The position of an event.' })),
        },
        { additionalProperties: false },
      ),
      response: { 200: eventStreamResponse, ...errorResponses('VALIDATION_ERROR') },
    },
    async handler(request, reply) {
      const { cursor, ...query } = request.query
      const after = (request.headers['last-event-id'] ?? cursor) as Position | undefined
      const filter = filterOf(query)
      if (after !== undefined) await requirePosition(store, after)
      // What is recorded as soon as the client sees the response is sent, although the subscription begins later.
      const from = after ?? (await store.end())
      return sendEvents(request, reply, {
        place: places.take(ownerOf(request).id) ?? tooMany('clients follow the events'),
        stopping,
        events: (signal) => followEvents(store, { filter, after: from, signal }),
      })
    },
  })
}

/** The recorded events, for operators. */
export const eventLog = resource<LogRoutesOptions & FollowRouteOptions>('event-log', async (app, options) => {
  app.register(logRoutes, options)
  app.register(followRoute, options)
})
