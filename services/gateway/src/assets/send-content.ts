import { Readable } from 'node:stream'
import type { AssetContent } from '@platen/domain/asset/asset-library.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import { contentDisposition } from '@platen/foundation/net/content-disposition.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { logBrokenDownload } from '../http/errors/disconnects.ts'
import { entityTag, isNoneMatch } from '../http/headers/entity-tags.ts'

/** The policy for an asset that a browser shows: it can run no script and load nothing. */
const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/**
 * Types that are sent otherwise than they are stored. The pages of the studio and of the documentation take scripts of their own server:
 * as another type, with `nosniff`, a script that somebody has stored is none of them.
 */
const sentTypes: Readonly<Record<string, string>> = {
  'text/css': 'text/css; charset=utf-8',
  'text/javascript': 'application/octet-stream',
}

export interface ContentRequest {
  ownerId: string
  name: string
  content: Pick<AssetContent, 'sha256' | 'object' | 'type' | 'bytes'>
  request: FastifyRequest
  reply: FastifyReply
}

/** Sends the bytes of an asset, or a 304. Throws ASSET_NOT_FOUND if the object store has lost them. */
export async function sendContent(objects: ObjectStore, { ownerId, name, content, request, reply }: ContentRequest) {
  const { sha256, object, type, bytes } = content
  // SVG can hold scripts.
  const shown = type.startsWith('image/') && type !== 'image/svg+xml' ? 'inline' : 'attachment'
  reply.headers({
    etag: entityTag(sha256),
    'cache-control': 'private, no-cache',
    'content-security-policy': contentPolicy,
    'content-disposition': contentDisposition(name.slice(name.lastIndexOf('/') + 1), shown),
  })
  if (isNoneMatch(request.headers['if-none-match'], sha256)) return reply.code(304).send()
  reply.type(sentTypes[type] ?? type).header('content-length', bytes)
  // For HEAD an empty stream, because Fastify sets content-length to the length of any other body.
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  const key = objectKeys.asset(ownerId, sha256, object)
  try {
    return reply.send(logBrokenDownload(await objects.get(key), reply, { key, size: bytes }))
  } catch (err) {
    if (!(err instanceof ObjectNotFound)) throw err
    for (const header of ['etag', 'content-length', 'content-type', 'content-disposition']) reply.removeHeader(header)
    return fail('ASSET_NOT_FOUND', `The object store has lost the bytes of ${name}; upload it again`)
  }
}
