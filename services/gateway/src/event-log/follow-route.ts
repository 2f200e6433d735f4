import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { EventStore, Position } from '@platen/event-store/event-store.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { Type } from 'typebox'
import { ownerOf } from '../api-keys/owner-of.ts'
import { eventStreamResponse, sendEvents } from '../event-streams/send-events.ts'
import { aliveComment, aliveEveryMs } from '../event-streams/watch.ts'
import { errorResponses } from '../http/openapi/route-schemas.ts'
import { Places } from '../limits/places.ts'
import { eventBody } from './event-body.ts'
import { filterOf, forAdmin, logQuery, tags } from './log-routes.ts'
import { type LogFilter, matches, requirePosition } from './search-log.ts'

export interface FollowRouteOptions {
  store: EventStore
  /** When it aborts, open responses end. */
  stopping: AbortSignal
}

export const followRoute: FastifyPluginAsyncTypebox<FollowRouteOptions> = async (app, { store, stopping }) => {
  const places = new Places({ ofOwner: 10, all: 50, what: 'clients follow the events' })

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
      return sendEvents(request, reply, {
        place: places.take(ownerOf(request).id),
        stopping,
        events: (signal) => follow(store, filter, after ?? 'end', signal),
      })
    },
  })
}

const alive = Symbol('alive')

async function* follow(
  store: EventStore,
  filter: LogFilter,
  after: Position | 'end',
  signal: AbortSignal,
): AsyncGenerator<string> {
  // The client sees at once that it is connected.
  yield ': following\n\n'
  const ended = new AbortController()
  const until = AbortSignal.any([signal, ended.signal])
  const items = store.subscribe({ after, categories: filter.categories, signal: until })[Symbol.asyncIterator]()
  const read = () => {
    const next = items.next()
    // Nobody waits for it once the client has gone.
    next.catch(() => {})
    return next
  }
  try {
    let next = read()
    while (!signal.aborted) {
      const waited = new AbortController()
      const item = await Promise.race([next, sleep(aliveEveryMs, waited.signal).then(() => alive)])
      waited.abort()
      if (item === alive) {
        yield aliveComment
        continue
      }
      const { done, value } = item as Awaited<typeof next>
      if (done) return
      next = read()
      if (value.kind !== 'event' || !matches(value.event, filter)) continue
      const { position } = value.event
      yield `id: ${position}\nevent: event\ndata: ${stringifyExact(eventBody(value.event))}\n\n`
    }
  } finally {
    ended.abort()
  }
}
