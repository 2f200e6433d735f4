import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { GenerationCompleted } from '@platen/shared/contracts/generation.ts'
import { isExpired, type ObjectRetention } from '@platen/shared/object-store/object-retention.ts'
import { type ByteRange, ObjectNotFound, type ObjectStore } from '@platen/shared/object-store/object-store.ts'
import { fail } from '@platen/shared/runtime/errors.ts'
import type { Signing } from '@platen/shared/signing/signing.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type GenerationFinder, generationNotFound } from '../generations/find-generation.ts'
import { entityTag, isNoneMatch } from '../http/headers/entity-tags.ts'
import { logBrokenDownload } from '../http/log-broken-download.ts'
import { errorResponses } from '../http/openapi/references.ts'
import { parseByteRange } from './byte-range.ts'

export interface FileRoutesOptions {
  finder: GenerationFinder
  objects: ObjectStore
  signing: Signing
  retention: ObjectRetention
}

const fileHeaders = ['etag', 'cache-control', 'accept-ranges', 'content-disposition']

const Query = Type.Object(
  {
    expires: Type.Optional(Type.String()),
    signature: Type.Optional(Type.String()),
    download: Type.Optional(Type.String({ description: '`1` makes browsers save the file instead of showing it.' })),
  },
  { additionalProperties: false },
)
type Query = { expires?: string; signature?: string; download?: string }

export const fileRoutes: FastifyPluginAsyncTypebox<FileRoutesOptions> = async (app, options) => {
  const { finder, objects, signing, retention } = options
  app.get('/files/:file', {
    schema: {
      tags: ['Files'],
      operationId: 'getFile',
      summary: 'Download a PDF',
      description: 'The signed, expiring `url` of a generation. It needs no API key. Range requests are supported.',
      security: [],
      params: Type.Object({ file: Type.String({ description: '`<generation id>.pdf`' }) }),
      querystring: Query,
      response: {
        200: { description: 'The PDF.', content: { 'application/pdf': { schema: Type.String({ format: 'binary' }) } } },
        ...errorResponses(
          'FORBIDDEN',
          'GENERATION_NOT_FOUND',
          'GENERATION_EXPIRED',
          'RANGE_NOT_SATISFIABLE',
          'STORAGE_UNAVAILABLE',
        ),
      },
    },
    async handler(request, reply) {
      const id = request.params.file.replace(/\.pdf$/, '')
      const validS = checkSignature(signing, id, request.query)
      const record = await finder.findStarted(id)
      if (record?.state.status !== 'completed') throw generationNotFound(id)
      const { result } = record.state
      const filename = `${id}.pdf`
      const disposition = request.query.download === '1' ? 'attachment' : 'inline'
      const contentDisposition = `${disposition}; filename="${filename}"`
      const info = (await objects.info(result.object_key)) ?? fileDeleted()
      if (isExpired(Date.now() - info.modifiedAt.getTime(), retention.pdfDays)) fileDeleted()
      reply.headers({
        etag: entityTag(result.sha256),
        'cache-control': `private, max-age=${Math.min(validS, 3_600)}`,
        'accept-ranges': 'bytes',
        'content-disposition': contentDisposition,
      })
      const publicUrl = () => objects.publicUrl(result.object_key, { expiresInS: validS, contentDisposition })
      return sendFile(objects, { result, size: info.size, publicUrl, request, reply })
    },
  })
}

/** The remaining validity in seconds. Throws FORBIDDEN or GENERATION_EXPIRED. */
function checkSignature(signing: Signing, id: string, { expires = '', signature = '' }: Query): number {
  const until = /^\d{1,12}$/.test(expires) ? Number(expires) : 0
  if (!signing.fileSignatureMatches(id, until, signature)) {
    fail('FORBIDDEN', 'The signature of this URL is invalid; use the url of the generation unchanged')
  }
  const validS = until - Math.floor(Date.now() / 1_000)
  if (validS <= 0) fail('GENERATION_EXPIRED', `This URL has expired; GET /v1/generations/${id} returns a new one`)
  return validS
}

interface File {
  result: GenerationCompleted['data']
  size: number
  publicUrl: () => Promise<string | undefined>
  request: FastifyRequest
  reply: FastifyReply
}

async function sendFile(objects: ObjectStore, { result, size, publicUrl, request, reply }: File) {
  if (isNoneMatch(request.headers['if-none-match'], result.sha256)) return reply.code(304).send()
  const storeUrl = request.method === 'GET' ? await publicUrl() : undefined
  if (storeUrl !== undefined) return redirect(reply, storeUrl)
  const range = rangeOf(request, result.sha256, size)
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`)
    fail('RANGE_NOT_SATISFIABLE', `The file has ${size} bytes; the requested range is outside of it`)
  }
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  reply.type('application/pdf').header('content-length', range ? range.end - range.start + 1 : size)
  // For HEAD an empty stream, because Fastify sets content-length to the length of any other body.
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  const key = result.object_key
  return reply.send(logBrokenDownload(await openFile(objects, key, range), reply, { key, size }))
}

/** The store answers ranges itself, and its response has the headers of the file. */
function redirect(reply: FastifyReply, url: string) {
  for (const name of fileHeaders) reply.removeHeader(name)
  return reply.redirect(url, 302)
}

/** Ignores the range if the client's copy is of another file (`If-Range`; RFC 9110, section 13.1.5). */
function rangeOf({ headers }: FastifyRequest, sha256: string, size: number) {
  const ifRange = headers['if-range']
  if (ifRange !== undefined && ifRange !== entityTag(sha256)) return undefined
  return parseByteRange(headers.range, size)
}

async function openFile(objects: ObjectStore, key: string, range: ByteRange | undefined) {
  try {
    return await objects.get(key, range)
  } catch (err) {
    if (err instanceof ObjectNotFound) fileDeleted()
    throw err
  }
}

function fileDeleted(): never {
  return fail('GENERATION_EXPIRED', 'The PDF of this generation has been deleted')
}
