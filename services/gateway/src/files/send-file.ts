import { Readable } from 'node:stream'
import type { ErasedContent, GenerationCompleted } from '@platen/domain/generation/generation-events.ts'
import { pdfType } from '@platen/domain/generation/job-details.ts'
import { isExpired, type ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { contentDisposition } from '@platen/foundation/net/content-disposition.ts'
import type { ServerClock } from '@platen/messaging/connection/server-clock.ts'
import { type ByteRange, type ObjectInfo, ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { logBrokenDownload } from '../http/errors/disconnects.ts'
import { type Conditions, entityTag, isKnown, isUnchanged } from '../http/headers/entity-tags.ts'

export interface FileStore {
  objects: ObjectStore
  retention: ObjectRetention
  clock: Pick<ServerClock, 'now'>
}

export interface FileRequest {
  fileName: string
  result: GenerationCompleted['data']
  /** The content was deleted on request. */
  erased: ErasedContent | undefined
  /** How long the URL of the object store may be valid, if the client is sent there. Undefined: it is sent the bytes. */
  validS: number | undefined
  cacheControl: string
  /** Makes browsers save the file instead of showing it. */
  download: boolean
  request: FastifyRequest
  reply: FastifyReply
}

/** Whether the file is past its retention. The store may not have deleted it yet. */
export const isPastRetention = (
  { retention, clock }: Pick<FileStore, 'retention' | 'clock'>,
  { modifiedAt }: Pick<ObjectInfo, 'modifiedAt'>,
): boolean => isExpired(clock.now() - modifiedAt.getTime(), retention.pdfDays)

/** Sends the file or a range of it, a 304, or a redirect to the object store. Throws GENERATION_ERASED and FILE_DELETED. */
export async function sendGenerationFile(store: FileStore, file: FileRequest) {
  const { objects } = store
  const { fileName, result, erased, validS, cacheControl, download, request, reply } = file
  const disposition = contentDisposition(fileName, download ? 'attachment' : 'inline')
  if (erased) fileErased(erased)
  const info = (await objects.info(result.object_key)) ?? fileDeleted()
  if (isPastRetention(store, info)) fileDeleted()
  reply.headers({
    etag: entityTag(result.sha256),
    'last-modified': info.modifiedAt.toUTCString(),
    'cache-control': cacheControl,
    'accept-ranges': 'bytes',
    'content-disposition': disposition,
  })
  const publicUrl = async () =>
    validS === undefined
      ? undefined
      : objects.publicUrl(result.object_key, { expiresInS: validS, contentDisposition: disposition })
  return sendFile(objects, { result, size: info.size, modifiedAt: info.modifiedAt, publicUrl, request, reply })
}

const fileHeaders = ['etag', 'last-modified', 'cache-control', 'accept-ranges', 'content-disposition']

interface File {
  result: GenerationCompleted['data']
  size: number
  modifiedAt: Date
  publicUrl: () => Promise<string | undefined>
  request: FastifyRequest
  reply: FastifyReply
}

async function sendFile(objects: ObjectStore, { result, size, modifiedAt, publicUrl, request, reply }: File) {
  const conditions = { headers: request.headers, tag: result.sha256, modifiedAt }
  if (!isUnchanged(conditions)) fail('PRECONDITION_FAILED', 'The file does not match If-Match or If-Unmodified-Since')
  if (isKnown(conditions)) return reply.code(304).send()
  // RFC 9110, section 14.2: a range is one of a GET.
  const isGet = request.method === 'GET'
  const storeUrl = isGet ? await publicUrl() : undefined
  if (storeUrl !== undefined) return redirect(reply, storeUrl)
  const range = isGet ? rangeOf(conditions, size) : undefined
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`)
    fail('RANGE_NOT_SATISFIABLE', `The file has ${size} bytes; the requested range is outside of it`)
  }
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  reply.type(result.media_type ?? pdfType).header('content-length', range ? range.end - range.start + 1 : size)
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
function rangeOf({ headers, tag, modifiedAt }: Conditions, size: number) {
  const ifRange = headers['if-range']
  if (ifRange !== undefined && ifRange !== entityTag(tag) && ifRange !== modifiedAt.toUTCString()) return undefined
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

function fileErased({ erased_at }: ErasedContent): never {
  return fail('GENERATION_ERASED', 'The content of this generation was erased', { erased_at })
}

function fileDeleted(): never {
  return fail('FILE_DELETED', 'The PDF of this generation has been deleted')
}

/**
 * A single byte range (RFC 9110, section 14). Undefined without a header, and for other units or several ranges, which
 * are answered with the whole file.
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}
