import { Places } from '@platen/foundation/runtime/places.ts'
import type { FastifyRequest } from 'fastify'
import { needsScope } from '../api-keys/authentication.ts'
import { isAboutAllOwners, OwnerQuery, ownerOf } from '../api-keys/owner-of.ts'
import { eventStreamResponse, sendEvents } from '../event-streams/send-events.ts'
import { watch } from '../event-streams/watch.ts'
import { errorResponses, StatusRef } from '../http/openapi/route-schemas.ts'
import { resource } from '../http/resource.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import { tooMany } from '../limits/patience.ts'
import { Statuses, type StatusesOptions, statusEveryMs } from './statuses.ts'

export interface StatusRoutesOptions extends StatusesOptions {
  /** When it aborts, open responses end. */
  stopping: AbortSignal
}

const tags = ['Operations']
const whose =
  'With a key that has the scope `admin` that of the whole deployment, as `platen status` shows it; with `owner`, or another key, the figures of that owner alone.'

/** How it stands, for operators and for the owners of documents. */
export const statusRoutes = resource<StatusRoutesOptions>('status', async (app, options) => {
  const { stopping } = options
  const statuses = new Statuses(options)
  const places = new Places({ all: 200, atMost: 20 })
  const forReading = { onRequest: needsScope('generations:read') }
  const wanted = (request: FastifyRequest) => statuses.of(isAboutAllOwners(request) ? undefined : ownerOf(request).id)

  app.get('/status', {
    ...forReading,
    schema: {
      tags,
      operationId: 'getStatus',
      summary: 'Get the status: queues, failures, processes, alerts',
      description: `${whose} At most a second old. What cannot be known is absent, and \`not_checked\` has the reason.`,
      querystring: OwnerQuery,
      response: { 200: StatusRef, ...errorResponses() },
    },
    async handler(request, reply) {
      releaseSlot(request)
      const { status } = await wanted(request).get()
      return reply.header('cache-control', 'no-store').send(status)
    },
  })

  app.get('/status/events', {
    ...forReading,
    schema: {
      tags,
      operationId: 'followStatus',
      summary: 'Follow the status',
      description: `Server-sent events: \`status\` with the status as JSON, at once and after each change, at most once a second. ${whose}`,
      querystring: OwnerQuery,
      response: { 200: eventStreamResponse, ...errorResponses() },
    },
    async handler(request, reply) {
      const status = wanted(request)
      const read = async () => (await status.get()).event
      const events = async function* (signal: AbortSignal) {
        yield* watch({ first: await read(), read, everyMs: statusEveryMs, signal })
      }
      return sendEvents(request, reply, {
        place: places.take(ownerOf(request).id) ?? tooMany('clients follow the status'),
        stopping,
        events,
      })
    },
  })
})
