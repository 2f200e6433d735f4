import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Batch } from '@platen/domain/batch/batch.ts'
import { Places } from '@platen/foundation/runtime/places.ts'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf } from '../api-keys/owner-of.ts'
import { eventStreamResponse, sendEvents } from '../event-streams/send-events.ts'
import { type ServerEvent, watch } from '../event-streams/watch.ts'
import { errorResponses, idParams } from '../http/openapi/route-schemas.ts'
import { tooMany } from '../limits/patience.ts'
import { batchBody } from './batch-body.ts'
import type { FindBatch } from './find-batch.ts'

export interface ProgressRouteOptions {
  findBatch: FindBatch
  /** When it aborts, open responses end. */
  stopping: AbortSignal
}

/** Each look reads a row of the view and the two events of the batch. */
const lookEveryMs = 500

export const progressRoute: FastifyPluginAsyncTypebox<ProgressRouteOptions> = async (app, { findBatch, stopping }) => {
  const places = new Places({ all: 500, atMost: 20 })

  app.get('/batches/:id/events', {
    onRequest: needsScope('generations:read'),
    schema: {
      tags: ['Batches'],
      operationId: 'followBatch',
      summary: 'Follow the progress of a batch',
      description:
        'Server-sent events: `progress` with the batch as JSON, at once and after each change, at most twice a second. The last one is `end`, and the response ends. After a broken connection request it again.',
      params: idParams('bat'),
      querystring: OwnerQuery,
      response: {
        200: eventStreamResponse,
        ...errorResponses('BATCH_NOT_FOUND'),
      },
    },
    async handler(request, reply) {
      const { id: ownerId } = ownerOf(request)
      const { id } = request.params
      const read = async () => progressOf(batchBody(await findBatch(id, ownerId)))
      const first = await read()
      return sendEvents(request, reply, {
        place: places.take(ownerId) ?? tooMany('clients follow batches'),
        stopping,
        events: (signal) => watch({ first, read, everyMs: lookEveryMs, signal }),
      })
    },
  })
}

function progressOf(batch: Batch): ServerEvent {
  const isLast = batch.ended_at !== undefined
  return { name: isLast ? 'end' : 'progress', data: JSON.stringify(batch), isLast }
}
