import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Batch } from '@platen/domain/batch/batch.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf } from '../api-keys/owner-of.ts'
import { clientDisconnected } from '../http/errors/disconnects.ts'
import { errorResponses, idParams } from '../http/openapi/route-schemas.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import { batchBody } from './batch-body.ts'
import type { FindBatch } from './find-batch.ts'
import { Places } from './places.ts'

export interface ProgressRouteOptions {
  findBatch: FindBatch
  /** When it aborts, open responses end. */
  stopping: AbortSignal
}

/** Each look reads a row of the view and the two events of the batch. */
const lookEveryMs = 500
/** Proxies close a connection without traffic, most of them after a minute. */
const aliveEveryMs = 15_000

export const progressRoute: FastifyPluginAsyncTypebox<ProgressRouteOptions> = async (app, { findBatch, stopping }) => {
  const places = new Places({ ofOwner: 20, all: 500, what: 'clients follow batches' })

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
        200: { description: 'The events.', content: { 'text/event-stream': { schema: { type: 'string' } as never } } },
        ...errorResponses('BATCH_NOT_FOUND'),
      },
    },
    async handler(request, reply) {
      const { id: ownerId } = ownerOf(request)
      const { id } = request.params
      const read = async () => batchBody(await findBatch(id, ownerId))
      const first = await read()
      const place = places.take(ownerId)
      reply.raw.once('close', () => place[Symbol.dispose]())
      releaseSlot(request)
      const signal = AbortSignal.any([clientDisconnected(reply), stopping])
      return reply
        .header('content-type', 'text/event-stream')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(Readable.from(progress(first, read, signal)))
    },
  })
}

async function* progress(first: Batch, read: () => Promise<Batch>, signal: AbortSignal): AsyncGenerator<string> {
  let sent = ''
  let sentAt = 0
  for (let batch = first; !signal.aborted; ) {
    const data = JSON.stringify(batch)
    if (data !== sent) {
      sent = data
      sentAt = performance.now()
      yield `event: ${batch.ended_at === undefined ? 'progress' : 'end'}\ndata: ${data}\n\n`
    }
    if (batch.ended_at !== undefined) return
    if (performance.now() - sentAt >= aliveEveryMs) {
      sentAt = performance.now()
      yield ': alive\n\n'
    }
    await sleep(lookEveryMs, signal)
    // While the event store does not answer, the last known state is sent.
    batch = await read().catch(() => batch)
  }
}
