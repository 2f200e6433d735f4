import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { fail } from '@platen/domain/http/errors.ts'
import { contentDisposition } from '@platen/foundation/net/content-disposition.ts'
import { Places } from '@platen/foundation/runtime/places.ts'
import { downloadZip } from 'client-zip'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf } from '../api-keys/owner-of.ts'
import { callerOf } from '../generations/find-generation.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { errorResponses, idParams } from '../http/openapi/route-schemas.ts'
import { holdPlace } from '../limits/hold-place.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import { tooMany } from '../limits/patience.ts'
import type { BatchRecord } from '../views/batch-view.ts'
import { batchFiles, type FileSources } from './batch-files.ts'
import type { FindBatch } from './find-batch.ts'
import { Merger } from './merge-files.ts'

export interface BatchFileRoutesOptions extends FileSources {
  findBatch: FindBatch
}

const Params = idParams('bat')
const forReading = { onRequest: needsScope('generations:read') }

export const batchFileRoutes: FastifyPluginAsyncTypebox<BatchFileRoutesOptions> = async (app, options) => {
  const { findBatch } = options
  const places = new Places({ all: 32, atMost: 4 })
  // Each merge holds all of its files in memory, and its result until that was sent.
  const mergePlaces = new Places({ all: 2, atMost: 1 })
  const mergedPlaces = new Places({ all: 8, atMost: 1 })
  const merger = new Merger()
  app.addHook('onClose', () => merger[Symbol.asyncDispose]())

  app.get('/batches/:id/files.zip', {
    ...forReading,
    schema: {
      tags: ['Batches'],
      operationId: 'getBatchZip',
      summary: 'Download the PDFs of a batch as a ZIP',
      description:
        'When the batch has ended. In order, under the file names of the items; a name that occurs twice gets the place of the item. Failed, cancelled and erased items are left out, and those whose PDF is past its retention.',
      params: Params,
      querystring: OwnerQuery,
      response: withHeaders(
        { 200: ['Content-Disposition'] },
        {
          200: { description: 'The ZIP.', content: { 'application/zip': { schema: binary } } },
          ...errorResponses('BATCH_NOT_FOUND', 'CONFLICT'),
        },
      ),
    },
    async handler(request, reply) {
      const { id: ownerId } = ownerOf(request)
      const batch = await findBatch(request.params.id, ownerId)
      refuseUnended(batch)
      holdPlace(reply, places.take(ownerId) ?? tooMany('ZIP files are being downloaded'))
      releaseSlot(request)
      const files = batchFiles(options, batch)
      const { body } = downloadZip(files)
      if (body === null) throw new Error('client-zip has made no stream')
      return reply
        .header('content-type', 'application/zip')
        .header('content-disposition', contentDisposition(`${batch.id}.zip`, 'attachment'))
        .header('cache-control', 'private, no-cache')
        .send(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]))
    },
  })

  app.get('/batches/:id/merged.pdf', {
    ...forReading,
    schema: {
      tags: ['Batches'],
      operationId: 'getBatchPdf',
      summary: 'Download the PDFs of a batch as one PDF',
      description:
        'When the batch has ended: the pages of its items, in order. Up to 1,000 pages and 50 MiB together; more are a 422, and the ZIP has them. Failed, cancelled and erased items are left out. It has their tags, links and form fields, and an outline with an entry for each.',
      params: Params,
      querystring: OwnerQuery,
      response: withHeaders(
        { 200: ['Content-Disposition'] },
        {
          200: { description: 'The PDF.', content: { 'application/pdf': { schema: binary } } },
          ...errorResponses(
            'BATCH_NOT_FOUND',
            'CONFLICT',
            'FILE_DELETED',
            'RENDER_LIMIT_EXCEEDED',
            'PDF_TOO_COMPLEX',
            'RENDER_FAILED',
          ),
        },
      ),
    },
    async handler(request, reply) {
      const { ownerId, apiKeyId } = callerOf(request)
      const batch = await findBatch(request.params.id, ownerId)
      refuseUnended(batch)
      holdPlace(reply, mergedPlaces.take(ownerId) ?? tooMany('batches are being merged and downloaded'))
      using _place = mergePlaces.take(ownerId) ?? tooMany('batches are being merged')
      releaseSlot(request)
      const pdf = await merger.merge(options, batch, { owner: ownerId, key: apiKeyId })
      return reply
        .header('content-type', 'application/pdf')
        .header('content-disposition', contentDisposition(`${batch.id}.pdf`, 'attachment'))
        .header('cache-control', 'private, no-cache')
        .header('content-length', pdf.byteLength)
        .send(Readable.from(inPieces(pdf)))
    },
  })
}

/** So that it is seen what the client takes of it. */
function* inPieces(bytes: Uint8Array, size = 64 * 1_024) {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size)
}

const binary = { type: 'string', format: 'binary' } as never

function refuseUnended({ state }: BatchRecord): void {
  if ('ended' in state) return
  fail('CONFLICT', `The batch is ${state.status}; its files can be downloaded when it has ended`)
}
