import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { BatchBody, BatchItemResult, batchLimits } from '@platen/domain/batch/batch.ts'
import { batchStream } from '@platen/domain/batch/batch-events.ts'
import { batchDecider, batchNotFound } from '@platen/domain/batch/decide-batch.ts'
import { GenerateBody } from '@platen/domain/generation/generation.ts'
import type { ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { handleCommand } from '@platen/event-store/handle-command.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { statedRules } from '@platen/foundation/json/json.ts'
import { Places } from '@platen/foundation/runtime/places.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf, ownerQuery } from '../api-keys/owner-of.ts'
import type { GenerationFinder } from '../generations/find-generation.ts'
import type { Arriving } from '../http/bodies/receive.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { BatchRef, bodyErrors, errorResponses, idParams, pageOf } from '../http/openapi/route-schemas.ts'
import { batchCallbacks } from '../http/openapi/webhooks.ts'
import { defaultLimit, idBefore, pageBody, pageQuery, placeAfter } from '../http/pagination.ts'
import { bodySha256 } from '../http/plugins/json-parser.ts'
import type { Urls } from '../http/urls.ts'
import { idempotencyHeaders, replayedHeader } from '../idempotency/idempotent-request.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import { tooMany } from '../limits/patience.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import type { BatchView } from '../views/batch-view.ts'
import type { GenerationView } from '../views/generation-view.ts'
import { batchBody, itemBody } from './batch-body.ts'
import { type CreateBatchOptions, createBatch, type RequestedBatch } from './create-batch.ts'
import { batchFileRoutes } from './file-routes.ts'
import { batchFinder } from './find-batch.ts'
import { itemFinder } from './find-item.ts'
import { itemsOfBody, itemsOfLines, linesType } from './given-items.ts'
import { progressRoute } from './progress-route.ts'

export interface BatchRoutesOptions extends CreateBatchOptions {
  batches: BatchView
  reader: StreamReader
  retention: ObjectRetention
  generations: GenerationView
  finder: GenerationFinder
  urls: Urls
  /** Resolves when the views show every change that was acknowledged before the call. */
  untilCaughtUp: () => Promise<void>
  /** Aborts when the gateway is about to close. */
  stopping: AbortSignal
}

const tags = ['Batches']
const Params = idParams('bat')
const forReading = { onRequest: needsScope('generations:read') }
const forWriting = { onRequest: needsScope('generate') }
const jsonLimit = 2 ** 20

const { template, template_version, template_label } = GenerateBody.properties
const { file_name, webhook_url } = BatchBody.properties
/** Fields of the batch that are query parameters when the body has lines of items. */
const fields = { template, template_version, template_label, file_name, webhook_url }

/** The schema of the lines, for the OpenAPI document only: the lines are checked while they are read. */
const lines = {
  schema: {
    [statedRules]: { type: 'string' },
    examples: [
      '{"html": "<h1>{{name}}</h1>", "data": {"name": "Ada"}}\n{"html": "<h1>{{name}}</h1>", "data": {"name": "Grace"}}\n',
    ],
  },
}

export const batchRoutes: FastifyPluginAsyncTypebox<BatchRoutesOptions> = async (app, options) => {
  const { bus, reader, store, objects, retention, batches, generations, finder, urls, untilCaughtUp, stopping } =
    options
  const findBatch = batchFinder(reader, batches)
  const findItem = itemFinder(generations, finder)
  const uploads = new Places({ all: 8, atMost: 2 })
  app.register(progressRoute, { findBatch, stopping })
  app.register(batchFileRoutes, { findBatch, findItem, objects, retention, clock: bus.clock })
  app.addContentTypeParser(linesType, async (_: FastifyRequest, body: Arriving) => body)

  app.post('/batches', {
    ...forWriting,
    bodyLimit: jsonLimit,
    config: { streamedType: linesType },
    schema: {
      tags,
      operationId: 'createBatch',
      summary: 'Generate many PDFs',
      description: [
        'Each item is a request to generate; what it leaves out, it has from the batch. All items that name a template are printed with one version of it.',
        'As JSON with up to 1,000 `items`, or as `application/x-ndjson` with an item in each of up to 100,000 lines, whose common fields are parameters of the query.',
        'Refused as a whole if an item is invalid; the error names the lines. Generations of items that fail later do not stop the others.',
      ].join('\n\n'),
      headers: idempotencyHeaders,
      querystring: Type.Object({ ...ownerQuery, ...fields }, { additionalProperties: false }),
      body: { content: { 'application/json': { schema: BatchBody }, [linesType]: lines } } as never,
      callbacks: batchCallbacks,
      response: withHeaders(
        { 202: ['Location', 'idempotency-replayed'] },
        {
          202: BatchRef,
          ...errorResponses(
            ...bodyErrors,
            'TEMPLATE_NOT_FOUND',
            'LABEL_NOT_FOUND',
            'TEMPLATE_TOO_COMPLEX',
            'WEBHOOK_URL_FORBIDDEN',
            'IDEMPOTENCY_KEY_REUSED',
            'QUEUE_FULL',
            'STORAGE_UNAVAILABLE',
          ),
        },
      ),
    },
    async handler(request, reply) {
      const { id: ownerId } = ownerOf(request)
      using _upload = uploads.take(ownerId) ?? tooMany('batches are being sent')
      releaseSlot(request)
      // Counted before the view catches up: what has been sent by then is in the view.
      const sending = uploads.takenBy(ownerId)
      await untilCaughtUp()
      if (sending + batches.countUnfinished(ownerId) > batchLimits.unfinished) {
        fail('QUEUE_FULL', `This owner has ${batchLimits.unfinished} batches that have not ended; retry later`)
      }
      const { record, repeated } = await createBatch(options, request, requestedBatch(request))
      if (repeated) reply.header(replayedHeader, 'true')
      return reply.code(202).header('location', urls.batch(record.id)).send(batchBody(record))
    },
  })

  app.get('/batches', {
    ...forReading,
    schema: {
      tags,
      operationId: 'listBatches',
      summary: 'List the batches of the owner',
      querystring: Type.Object({ ...pageQuery, ...ownerQuery }, { additionalProperties: false }),
      response: { 200: pageOf('BatchPage', BatchRef, 'A page of batches.'), ...errorResponses('VALIDATION_ERROR') },
    },
    async handler(request) {
      const { limit = defaultLimit, cursor } = request.query
      const before = idBefore(cursor, 'bat')
      await untilCaughtUp()
      return pageBody(batches.page({ ownerId: ownerOf(request).id, before, limit }), ({ id }) => id, batchBody)
    },
  })

  app.get('/batches/:id', {
    ...forReading,
    schema: {
      tags,
      operationId: 'getBatch',
      summary: 'Get a batch with the progress of its items',
      params: Params,
      querystring: OwnerQuery,
      response: { 200: BatchRef, ...errorResponses('BATCH_NOT_FOUND') },
    },
    async handler(request) {
      return batchBody(await findBatch(request.params.id, ownerOf(request).id))
    },
  })

  app.get('/batches/:id/items', {
    ...forReading,
    schema: {
      tags,
      operationId: 'listBatchItems',
      summary: 'List the items of a batch, in order',
      params: Params,
      querystring: Type.Object({ ...pageQuery, ...ownerQuery }, { additionalProperties: false }),
      response: {
        200: pageOf('BatchItemPage', BatchItemResult, 'A page of items.'),
        ...errorResponses('VALIDATION_ERROR', 'BATCH_NOT_FOUND'),
      },
    },
    async handler(request) {
      const { limit = defaultLimit, cursor } = request.query
      const after = placeAfter(cursor) ?? 0
      const { id, state } = await findBatch(request.params.id, ownerOf(request).id)
      await untilCaughtUp()
      const last = Math.min(after + limit, state.batch.total)
      const indices = Array.from({ length: Math.max(0, last - after) }, (_, at) => after + 1 + at)
      const items = await Promise.all(
        indices.map(async (index) => itemBody(await findItem({ id, state }, index), state, urls)),
      )
      const page = { items, hasMore: last < state.batch.total }
      return pageBody(
        page,
        ({ index }) => String(index),
        (item) => item,
      )
    },
  })

  app.post('/batches/:id/cancel', {
    ...forWriting,
    schema: {
      tags,
      operationId: 'cancelBatch',
      summary: 'Cancel a batch',
      description: 'Items that have not begun are cancelled; those that have begun or ended stay as they are.',
      params: Params,
      querystring: OwnerQuery,
      response: { 202: BatchRef, ...errorResponses('BATCH_NOT_FOUND', 'CONFLICT') },
    },
    async handler(request, reply) {
      const { id, begun } = await findBatch(request.params.id, ownerOf(request).id)
      const { state } = await handleCommand({
        store,
        decider: batchDecider,
        stream: batchStream(id),
        command: { type: 'CancelBatch', data: { id }, metadata: commandMetadata(request) },
      })
      if (state.status === 'absent') return batchNotFound(id)
      return reply.code(202).send(batchBody({ id, state, begun }))
    },
  })
}

type BatchQuery = Partial<Pick<BatchBody, keyof typeof fields>> & { owner?: string }

function requestedBatch(request: FastifyRequest): RequestedBatch {
  const { owner: _, webhook_url, ...query } = request.query as BatchQuery
  const { body } = request
  if (!isStream(body)) {
    const { items: __, webhook_url: webhookUrl = webhook_url, ...defaults } = body as BatchBody
    const sha256 = () => hashOf(request.query, bodySha256(request))
    return { items: itemsOfBody(body as BatchBody), defaults: { ...defaults, ...query }, webhookUrl, sha256 }
  }
  const hash = createHash('sha256')
  const items = itemsOfLines(request, body, (bytes) => hash.update(bytes))
  return { items, defaults: query, webhookUrl: webhook_url, sha256: () => hashOf(request.query, hash.digest('hex')) }
}

const isStream = (body: unknown): body is Arriving => typeof (body as Partial<Arriving>).iterator === 'function'

function hashOf(query: unknown, body: string): string {
  return createHash('sha256')
    .update(JSON.stringify([query, body]))
    .digest('hex')
}
