import { fileNameOf, resultTypes } from '@platen/domain/generation/job-details.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'
import { Type } from 'typebox'
import { keyOf, needsScope } from '../api-keys/authentication.ts'
import { ownerQuery } from '../api-keys/owner-of.ts'
import { callerOf, type GenerationFinder, generationNotFound } from '../generations/find-generation.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import {
  entityTags,
  errorResponses,
  errorResponsesWithoutKey,
  idParams,
  noBody,
} from '../http/openapi/route-schemas.ts'
import { openResource, resource } from '../http/resource.ts'
import { type FileStore, sendGenerationFile } from './send-file.ts'

export interface FileRoutesOptions extends FileStore {
  finder: GenerationFinder
  signing: Signing
}

const downloadQuery = {
  download: Type.Optional(Type.String({ description: '`1` makes browsers save the file instead of showing it.' })),
}
const binary = { schema: Type.String({ format: 'binary' }) }
const files = Object.fromEntries(resultTypes.map((type) => [type, binary]))
const responses = {
  200: { description: 'The file: a PDF, unless `media_type` of the generation says otherwise.', content: files },
  206: { description: 'A range of it.', content: files },
  302: noBody('The file is at `Location`, in the object store.'),
  304: noBody('Not modified.'),
}

const fileHeaders = ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition'] as const
const responseHeaders = {
  200: fileHeaders,
  206: [...fileHeaders, 'Content-Range'] as const,
  302: ['Location'] as const,
  304: fileHeaders,
  416: ['Content-Range'] as const,
}

/** A client may send others, which are ignored. */
const conditions = Type.Object({
  range: Type.Optional(Type.String({ description: 'One range of bytes.', examples: ['bytes=0-99'] })),
  'if-range': Type.Optional(Type.String({ description: 'The range counts only if the file has this `ETag` or date.' })),
  'if-match': entityTags('412 unless the file has one of these entity tags.'),
  'if-none-match': entityTags('304 if the file has one of these entity tags.'),
  'if-modified-since': Type.Optional(Type.String({ description: '304 if the file is not newer.' })),
  'if-unmodified-since': Type.Optional(Type.String({ description: '412 if the file is newer.' })),
})

const Query = Type.Object(
  {
    expires: Type.Optional(Type.String({ description: 'Until when the URL is valid, in seconds since the epoch.' })),
    signature: Type.Optional(Type.String({ description: 'Of the URL. Take it from the `url` of a generation.' })),
    ...downloadQuery,
  },
  { additionalProperties: false },
)
type Query = { expires?: string; signature?: string; download?: string }

export const fileRoutes = openResource<FileRoutesOptions>('files', async (app, options) => {
  const { finder } = options
  app.get('/files/:file', {
    schema: {
      tags: ['Files'],
      operationId: 'getFile',
      summary: 'Download the file of a generation',
      description: 'The signed, expiring `url` of a generation. It needs no API key. Range requests are supported.',
      security: [],
      headers: conditions,
      params: Type.Object({
        file: Type.String({
          description: '`<generation id>.pdf`, or with the ending of its type',
          examples: ['pdf_01k9x2v7w3d5e8f0g2h4j6k8m0.pdf'],
        }),
      }),
      querystring: Query,
      response: withHeaders(responseHeaders, {
        ...responses,
        ...errorResponsesWithoutKey(
          'INVALID_SIGNATURE',
          'GENERATION_NOT_FOUND',
          'FILE_URL_EXPIRED',
          'FILE_DELETED',
          'GENERATION_ERASED',
          'PRECONDITION_FAILED',
          'RANGE_NOT_SATISFIABLE',
          'STORAGE_UNAVAILABLE',
        ),
      }),
    },
    async handler(request, reply) {
      const id = request.params.file.replace(/\.(?:pdf|png|jpg|webp|zip)$/, '')
      const validS = checkSignature(options, id, request.query)
      const record = await finder.findStarted(id)
      if (record?.state.status !== 'completed') throw generationNotFound(id)
      const download = request.query.download === '1'
      const cacheControl = `private, max-age=${Math.min(validS, 3_600)}`
      const { result, erased } = record.state
      const fileName = fileNameOf({ ...record.request, media_type: result.media_type })
      return sendGenerationFile(options, { fileName, result, erased, validS, cacheControl, download, request, reply })
    },
  })
})

/** How long a client may follow the redirect to the object store. */
const redirectS = 300

/** The file of a generation for a client with an API key. */
export const generationFileRoute = resource<FileStore & { finder: GenerationFinder }>(
  'files of generations',
  async (app, options) => {
    app.get('/generations/:id/file', {
      onRequest: needsScope('generations:read'),
      schema: {
        tags: ['Files'],
        operationId: 'getGenerationFile',
        summary: 'Download the file of a generation with an API key',
        description:
          'Range requests are supported. If the object store is reachable for clients, the response to an API key is a redirect to it; do not send the key there.',
        headers: conditions,
        params: idParams('pdf'),
        querystring: Type.Object({ ...ownerQuery, ...downloadQuery }, { additionalProperties: false }),
        response: withHeaders(responseHeaders, {
          ...responses,
          ...errorResponses(
            'GENERATION_NOT_FOUND',
            'CONFLICT',
            'FILE_DELETED',
            'GENERATION_ERASED',
            'PRECONDITION_FAILED',
            'RANGE_NOT_SATISFIABLE',
            'STORAGE_UNAVAILABLE',
          ),
        }),
      },
      async handler(request, reply) {
        const { id } = request.params
        const record = await options.finder.find(id, callerOf(request))
        if (!record) throw generationNotFound(id)
        const { state } = record
        if (state.status !== 'completed') return fail('CONFLICT', `The generation is ${state.status} and has no file`)
        return sendGenerationFile(options, {
          fileName: fileNameOf({ ...record.request, media_type: state.result.media_type }),
          result: state.result,
          erased: state.erased,
          // The policy of the studio forbids its pages to read from another server.
          validS: keyOf(request) === undefined ? undefined : redirectS,
          cacheControl: 'private, no-cache',
          download: request.query.download === '1',
          request,
          reply,
        })
      },
    })
  },
)

/** The remaining validity in seconds. Throws INVALID_SIGNATURE or FILE_URL_EXPIRED. */
function checkSignature(
  { signing, clock }: FileRoutesOptions,
  id: string,
  { expires = '', signature = '' }: Query,
): number {
  const until = /^\d{1,12}$/.test(expires) ? Number(expires) : 0
  if (!signing.fileSignatureMatches(id, until, signature)) {
    fail('INVALID_SIGNATURE', 'The signature of this URL is invalid; use the url of the generation unchanged')
  }
  const validS = until - Math.floor(clock.now() / 1_000)
  if (validS <= 0) fail('FILE_URL_EXPIRED', `This URL has expired; GET /v1/generations/${id} returns a new one`)
  return validS
}
