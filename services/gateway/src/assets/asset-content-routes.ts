import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AssetVersion, assetTypes } from '@platen/domain/asset/asset.ts'
import type { AssetContent } from '@platen/domain/asset/asset-library.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import { contentDisposition } from '@platen/foundation/net/content-disposition.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/object-store/object-store.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { OwnerQuery, ownerOf, ownerQuery } from '../api-keys/owner-of.ts'
import { logBrokenDownload } from '../http/errors/disconnects.ts'
import { entityTag, isNoneMatch } from '../http/headers/entity-tags.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { entityTags, errorResponses, noBody, pageOf } from '../http/openapi/route-schemas.ts'
import { defaultLimit, pageQuery, versionBefore, versionsBody } from '../http/pagination.ts'
import type { AssetView } from '../views/asset-view.ts'
import type { TemplateView } from '../views/template-view.ts'
import { versionBody } from './asset-body.ts'
import { AssetParams, assetTags, forReading } from './asset-routes.ts'
import { AssetUsage, assetUsage } from './asset-usage.ts'
import { assetNotFound } from './decide-asset.ts'
import type { AssetStore } from './put-asset.ts'

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

interface ContentRequest {
  ownerId: string
  name: string
  content: Pick<AssetContent, 'sha256' | 'object' | 'type' | 'bytes'>
  request: FastifyRequest
  reply: FastifyReply
}

/** Sends the bytes of an asset, or a 304. Throws ASSET_NOT_FOUND if the object store has lost them. */
async function sendContent(objects: ObjectStore, { ownerId, name, content, request, reply }: ContentRequest) {
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

/** The bytes of an asset. */
const bytes = { schema: Type.String({ format: 'binary' }) }

export interface AssetContentRoutesOptions extends Pick<AssetStore, 'libraries' | 'objects'> {
  templates: Pick<TemplateView, 'pinnedTo'>
  versions: AssetView
  /** Resolves when the views show every change that was acknowledged before the call. */
  untilCaughtUp: () => Promise<void>
}

export const assetContentRoutes: FastifyPluginAsyncTypebox<AssetContentRoutesOptions> = async (app, options) => {
  const { libraries, objects, templates, versions, untilCaughtUp } = options
  app.get('/assets/:name/content', {
    ...forReading,
    schema: {
      tags: assetTags,
      operationId: 'getAssetContent',
      summary: 'Download the bytes of an asset',
      headers: Type.Object({ 'if-none-match': entityTags('The `ETag` of a copy.') }),
      params: AssetParams,
      querystring: Type.Object(
        {
          ...ownerQuery,
          version: Type.Optional(
            Type.Integer({
              minimum: 1,
              description: 'An earlier content, also of a deleted asset. Default: the current.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      response: withHeaders(
        { 200: ['ETag', 'Content-Disposition'], 304: ['ETag'] },
        {
          200: { description: 'The bytes.', content: Object.fromEntries(assetTypes.map((type) => [type, bytes])) },
          304: noBody('Not modified.'),
          ...errorResponses('ASSET_NOT_FOUND', 'STORAGE_UNAVAILABLE'),
        },
      ),
    },
    async handler(request, reply) {
      const { name } = request.params
      const { version } = request.query
      const ownerId = ownerOf(request).id
      const current = (await libraries.of(ownerId)).find(name)
      if (current && (version === undefined || version === current.version)) {
        return sendContent(objects, { ownerId, name, content: current, request, reply })
      }
      if (version === undefined) return assetNotFound(name)
      await untilCaughtUp()
      const content = versions.version(ownerId, name, version)
      if (content) return sendContent(objects, { ownerId, name, content, request, reply })
      const newest = versions.newest(ownerId, name) ?? assetNotFound(name)
      return fail('ASSET_NOT_FOUND', `Asset ${name} has the versions 1 to ${newest.version}, not ${version}`)
    },
  })

  app.get('/assets/:name/versions', {
    ...forReading,
    schema: {
      tags: assetTags,
      operationId: 'listAssetVersions',
      summary: 'List the contents that an asset has had',
      description: 'Newest first, also of a deleted asset.',
      params: AssetParams,
      querystring: Type.Object({ ...pageQuery, ...ownerQuery }, { additionalProperties: false }),
      response: {
        200: pageOf('AssetVersionPage', { ...AssetVersion, title: 'AssetVersion' }, 'A page of versions.'),
        ...errorResponses('VALIDATION_ERROR', 'ASSET_NOT_FOUND'),
      },
    },
    async handler(request) {
      const { name } = request.params
      const { limit = defaultLimit, cursor } = request.query
      const before = versionBefore(cursor) ?? Number.MAX_SAFE_INTEGER
      const { id: ownerId } = ownerOf(request)
      await untilCaughtUp()
      if (!versions.newest(ownerId, name)) return assetNotFound(name)
      const { items, hasMore } = versions.page(ownerId, name, { before, limit })
      return versionsBody({ items: items.map(versionBody), hasMore })
    },
  })

  app.get('/assets/:name/usage', {
    ...forReading,
    schema: {
      tags: assetTags,
      operationId: 'getAssetUsage',
      summary: 'List what uses an asset',
      description:
        'The newest and the labelled versions of templates that name it, also through partials and style sheets, with the version of the asset that they print, and the style sheets that name it. Also of a deleted asset.',
      params: AssetParams,
      querystring: OwnerQuery,
      response: { 200: AssetUsage, ...errorResponses('ASSET_NOT_FOUND') },
    },
    async handler(request) {
      const { name } = request.params
      const { id: ownerId } = ownerOf(request)
      const library = await libraries.of(ownerId)
      await untilCaughtUp()
      if (!versions.newest(ownerId, name)) return assetNotFound(name)
      const versionOf = (sha256: string) => versions.versionOf(ownerId, name, sha256)
      return assetUsage(library, name, { pinned: templates.pinnedTo(ownerId, 'asset', [name]), versionOf })
    },
  })
}
