import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { StringEnum } from '@platen/foundation/json/json.ts'
import { Type } from 'typebox'
import { OwnerQuery, ownerOf, ownerQuery } from '../api-keys/owner-of.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { errorResponses, PartialRef, pageOf } from '../http/openapi/route-schemas.ts'
import { defaultLimit, pageQuery, versionBefore, versionsBody } from '../http/pagination.ts'
import { PartialUsage } from '../views/partial-usage.ts'
import { forReading, idOrName, missing, PartialParams, partialTags, sendPartial } from './partial-request.ts'
import type { PartialRoutesOptions } from './partial-routes.ts'

const VersionParams = Type.Object({
  idOrName,
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [1] }),
})

const ListedVersion = Type.Object(
  {
    version: Type.Integer({ minimum: 1 }),
    status: StringEnum(['active', 'deleted'], { title: 'PartialVersionStatus' }),
    created_at: Type.String(),
    html_sha256: Type.Optional(Type.String({ description: 'absent in a deletion' })),
  },
  { title: 'PartialVersion' },
)

/** The versions of a partial, and what uses it. */
export const partialHistoryRoutes: FastifyPluginAsyncTypebox<
  Pick<PartialRoutesOptions, 'view' | 'partials' | 'untilCaughtUp'>
> = async (app, { view, partials, untilCaughtUp }) => {
  app.get('/partials/:idOrName/versions', {
    ...forReading,
    schema: {
      tags: partialTags,
      operationId: 'listPartialVersions',
      summary: 'List the versions of a partial',
      description: 'Newest first, also of a deleted partial. `next_cursor` is present if there are more.',
      params: PartialParams,
      querystring: Type.Object({ ...pageQuery, ...ownerQuery }, { additionalProperties: false }),
      response: {
        200: pageOf('PartialVersionPage', ListedVersion, 'A page of versions.'),
        ...errorResponses('VALIDATION_ERROR', 'PARTIAL_NOT_FOUND'),
      },
    },
    async handler(request) {
      const { limit = defaultLimit, cursor } = request.query
      const { idOrName } = request.params
      const range = { before: versionBefore(cursor), limit }
      const page = (await partials.versions(idOrName, ownerOf(request).id, range)) ?? missing(idOrName)
      return versionsBody(page)
    },
  })

  app.get('/partials/:idOrName/versions/:version', {
    ...forReading,
    schema: {
      tags: partialTags,
      operationId: 'getPartialVersion',
      summary: 'Get a version of a partial',
      description: 'Also of a deleted partial.',
      params: VersionParams,
      querystring: OwnerQuery,
      response: withHeaders(
        { 200: ['ETag'] },
        { 200: PartialRef, ...errorResponses('VALIDATION_ERROR', 'PARTIAL_NOT_FOUND') },
      ),
    },
    async handler(request, reply) {
      const { idOrName, version } = request.params
      const partial = await partials.version(idOrName, ownerOf(request).id, version)
      return sendPartial(reply, partial ?? missing(`${idOrName} in version ${version}`))
    },
  })

  app.get('/partials/:idOrName/usage', {
    ...forReading,
    schema: {
      tags: partialTags,
      operationId: 'getPartialUsage',
      summary: 'List what uses a partial',
      description:
        'The newest and the labelled versions of templates that use it, with the version of the partial, and the partials that call it.',
      params: PartialParams,
      querystring: OwnerQuery,
      response: { 200: PartialUsage, ...errorResponses('PARTIAL_NOT_FOUND') },
    },
    async handler(request) {
      const { idOrName } = request.params
      const { id: ownerId } = ownerOf(request)
      const { name } = (await partials.find(idOrName, ownerId)) ?? missing(idOrName)
      await untilCaughtUp()
      return view.usage(ownerId, name)
    },
  })
}
