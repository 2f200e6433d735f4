import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { changeAssets } from '@platen/domain/asset/asset-libraries.ts'
import type { AssetLibrary } from '@platen/domain/asset/asset-library.ts'
import { assetNamePattern, isAssetName, maxNameLength } from '@platen/domain/asset/asset-name.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { statedRules } from '@platen/foundation/json/json.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { apiKeyOf, needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf, ownerQuery } from '../api-keys/owner-of.ts'
import { invalidField } from '../http/errors/field-problems.ts'
import { entityTag, isNoneMatch } from '../http/headers/entity-tags.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { AssetRef, entityTags, errorResponses, noBody, pageOf } from '../http/openapi/route-schemas.ts'
import { defaultLimit, nameAfter, pageBody, pageQuery } from '../http/pagination.ts'
import type { Urls } from '../http/urls.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import type { TemplateView } from '../views/template-view.ts'
import { assetBody } from './asset-body.ts'
import { assetUsage, refuseInUse } from './asset-usage.ts'
import { ContentReader } from './content-reader.ts'
import { deleteAsset } from './decide-asset.ts'
import { type AssetStore, putAsset } from './put-asset.ts'
import { readUpload, type Upload } from './read-upload.ts'

export interface AssetRoutesOptions extends Omit<AssetStore, 'reader'> {
  urls: Pick<Urls, 'asset'>
  templates: Pick<TemplateView, 'pinnedTo'>
  /** Resolves when the views show every change that was acknowledged before the call. */
  untilCaughtUp: () => Promise<void>
}

export const assetTags = ['Assets']
export const AssetParams = Type.Object({
  name: Type.String({
    [statedRules]: { pattern: assetNamePattern, maxLength: maxNameLength },
    description:
      'Letters, digits, `.`, `_`, `-`, `@` and `+`, at most 200, in folders that are separated by `/`. In a URL the slashes are written as they are, or as `%2F`.',
    examples: ['logo.svg'],
  }),
})
export const forReading = { onRequest: needsScope('templates:read') }
const forWriting = { onRequest: needsScope('templates:write') }
/** A file of any type in the description. Generators of clients know this form. */
const file = {
  schema: {
    [statedRules]: { type: 'string', format: 'binary' },
    examples: ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>'],
  },
}

export const assetRoutes: FastifyPluginAsyncTypebox<AssetRoutesOptions> = async (app, options) => {
  const { store, libraries, limits, urls, templates, untilCaughtUp } = options
  const reader = new ContentReader()
  app.addHook('onClose', () => reader[Symbol.asyncDispose]())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async ({ routeOptions }: FastifyRequest, body: IncomingMessage) => {
    if (routeOptions.schema?.body) return readUpload(body, limits.bytes)
    // Some clients send a content type, or a body, with each request.
    body.resume()
    return undefined
  })

  app.put('/assets/:name', {
    ...forWriting,
    bodyLimit: limits.bytes,
    schema: {
      tags: assetTags,
      operationId: 'putAsset',
      summary: 'Upload an asset',
      description:
        'The body is the bytes of a PNG, JPEG, GIF, WebP, AVIF, SVG, WOFF2, WOFF, TTF, OTF, TTC, CSS or JavaScript file. The type comes from the bytes; a `Content-Type` that says otherwise is refused. The same bytes again change nothing. Documents use it as `asset:<name>`; a template version keeps the content that it was saved with.',
      headers: Type.Object({
        'if-match': entityTags('412 unless the asset has one of these entity tags.'),
        'if-none-match': entityTags('`*`: 412 if the name is in use.'),
      }),
      params: AssetParams,
      querystring: OwnerQuery,
      body: { content: { 'application/octet-stream': file } } as never,
      response: withHeaders(
        { 200: ['ETag'], 201: ['Location', 'ETag'] },
        {
          200: AssetRef,
          201: AssetRef,
          ...errorResponses(
            'VALIDATION_ERROR',
            'REQUEST_TIMEOUT',
            'PAYLOAD_TOO_LARGE',
            'UNSUPPORTED_MEDIA_TYPE',
            'PRECONDITION_FAILED',
            'ASSET_LIMIT_EXCEEDED',
            'STORAGE_UNAVAILABLE',
          ),
        },
      ),
    },
    async handler(request, reply) {
      const { name } = request.params
      const upload = (request.body as Upload | undefined) ?? noUpload
      checkPut(name, upload)
      const { asset, created } = await putAsset(
        { ...options, reader },
        {
          ownerId: ownerOf(request).id,
          apiKeyId: apiKeyOf(request).id,
          name,
          upload,
          contentType: request.headers['content-type'],
          conditions: request.headers,
          metadata: commandMetadata(request),
        },
      )
      if (created) reply.code(201).header('location', urls.asset(name))
      return reply.header('etag', entityTag(asset.sha256)).send(asset)
    },
  })

  app.get('/assets', {
    ...forReading,
    schema: {
      tags: assetTags,
      operationId: 'listAssets',
      summary: 'List assets',
      description: 'Sorted by name. `next_cursor` is present if there are more.',
      querystring: Type.Object({ ...pageQuery, ...ownerQuery }, { additionalProperties: false }),
      response: { 200: pageOf('AssetPage', AssetRef, 'A page of assets.'), ...errorResponses('VALIDATION_ERROR') },
    },
    async handler(request) {
      const { limit = defaultLimit, cursor } = request.query
      const after = nameAfter(cursor)
      const library = await libraries.of(ownerOf(request).id)
      const names = library.names().filter((name) => after === undefined || name > after)
      const page = { items: names.slice(0, limit), hasMore: names.length > limit }
      return pageBody(
        page,
        (name) => name,
        (name) => assetBody(name, library.find(name)),
      )
    },
  })

  app.get('/assets/:name', {
    ...forReading,
    schema: {
      tags: assetTags,
      operationId: 'getAsset',
      summary: 'Get an asset',
      description: 'Without its bytes. The `ETag` is the SHA-256 of the bytes.',
      headers: Type.Object({ 'if-none-match': entityTags('The `ETag` of a copy.') }),
      params: AssetParams,
      querystring: OwnerQuery,
      response: withHeaders(
        { 200: ['ETag'], 304: ['ETag'] },
        { 200: AssetRef, 304: noBody('Not modified.'), ...errorResponses('ASSET_NOT_FOUND') },
      ),
    },
    async handler(request, reply) {
      const { name } = request.params
      const library = await libraries.of(ownerOf(request).id)
      const asset = assetBody(name, library.find(name))
      reply.header('etag', entityTag(asset.sha256))
      return isNoneMatch(request.headers['if-none-match'], asset.sha256) ? reply.code(304).send() : reply.send(asset)
    },
  })

  app.delete('/assets/:name', {
    ...forWriting,
    schema: {
      tags: assetTags,
      operationId: 'deleteAsset',
      summary: 'Delete an asset',
      description:
        'An asset that a style sheet or the newest or a labelled version of a template names is deleted with `force=true` only: 409 otherwise. Template versions that were saved with it still print it. Inline HTML does not.',
      headers: Type.Object({ 'if-match': entityTags('412 unless the asset has one of these entity tags.') }),
      params: AssetParams,
      querystring: Type.Object(
        {
          ...ownerQuery,
          force: Type.Optional(Type.Boolean({ description: 'Also if the asset is in use. Default false.' })),
        },
        { additionalProperties: false },
      ),
      response: { 204: noBody('Deleted.'), ...errorResponses('ASSET_NOT_FOUND', 'PRECONDITION_FAILED', 'CONFLICT') },
    },
    async handler(request, reply) {
      const { params, headers, query } = request
      const { name } = params
      const { id: ownerId } = ownerOf(request)
      if (!query.force) await untilCaughtUp()
      const decide = (library: AssetLibrary) => {
        const event = deleteAsset(library, name, { 'if-match': headers['if-match'] })
        const pinned = query.force ? [] : templates.pinnedTo(ownerId, 'asset', [name])
        if (!query.force) refuseInUse(name, assetUsage(library, name, { pinned, versionOf: () => undefined }))
        return event
      }
      const metadata = commandMetadata(request)
      await changeAssets({ store, libraries, ownerId, metadata, decide })
      return reply.code(204).send()
    },
  })
}

const noUpload: Upload = { bytes: Buffer.alloc(0), sha256: '' }

function checkPut(name: string, { bytes }: Upload): void {
  if (!isAssetName(name)) {
    invalidField(
      'name',
      `must be 1 to ${maxNameLength} letters, digits, ., _, -, @ and +, in folders separated by /; no part begins with . or -, and the last is not content, versions or usage`,
    )
  }
  if (bytes.length === 0) fail('VALIDATION_ERROR', 'The request has no body: send the bytes of the asset')
}
