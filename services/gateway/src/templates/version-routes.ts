import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { summarizeVersion } from '@platen/domain/template/summarize-version.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import { RestoreTemplateBody, TemplateVersionSummary } from '@platen/domain/template/template-versions.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf, ownerQuery } from '../api-keys/owner-of.ts'
import { entityTag } from '../http/headers/entity-tags.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { bodyErrors, entityTags, errorResponses, pageOf, TemplateRef } from '../http/openapi/route-schemas.ts'
import { defaultLimit, pageQuery, versionBefore, versionsBody } from '../http/pagination.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import type { ApiKeyView } from '../views/api-key-view.ts'
import { versionPage } from '../views/version-page.ts'
import { type CurrentLabels, templateTag, templateVersionToMatch, withLabels } from './current-labels.ts'
import type { CurrentTemplates } from './current-templates.ts'
import { recordedVersions } from './recorded-versions.ts'
import type { TemplateCommands } from './template-commands.ts'
import { noSuchTemplate, TemplateParams, templateTags } from './template-params.ts'

export interface VersionRoutesOptions {
  templates: CurrentTemplates
  labels: CurrentLabels
  apiKeys: Pick<ApiKeyView, 'find'>
  commands: TemplateCommands
  store: StreamReader
}

const maxVersion = 2_147_483_647
const Version = Type.Integer({ minimum: 1, maximum: maxVersion, description: 'A version.', examples: [1] })
const VersionParams = Type.Object({ ...TemplateParams.properties, version: Version })
const forReading = { onRequest: needsScope('templates:read') }

/** The history of a template. That of a deleted template is found by its id. */
export const versionRoutes: FastifyPluginAsyncTypebox<VersionRoutesOptions> = async (app, options) => {
  const { templates, labels, apiKeys, commands, store } = options
  const { find, read } = recordedVersions(templates)

  app.get('/templates/:idOrSlug/versions', {
    ...forReading,
    schema: {
      tags: templateTags,
      operationId: 'listTemplateVersions',
      summary: 'List the versions of a template',
      description:
        'Newest first. The versions of a deleted template are listed under its id; the last of them is the deletion.',
      params: TemplateParams,
      querystring: Type.Object({ ...pageQuery, ...ownerQuery }, { additionalProperties: false }),
      response: {
        200: pageOf('TemplateVersionPage', TemplateVersionSummary, 'A page of versions.'),
        ...errorResponses('VALIDATION_ERROR', 'TEMPLATE_NOT_FOUND'),
      },
    },
    async handler(request) {
      const { limit = defaultLimit, cursor } = request.query
      const before = versionBefore(cursor)
      const { id } = await find(request)
      const { id: ownerId } = ownerOf(request)
      const { labels: known } = await labels.shown(id)
      const versionOf = (event: StoredEvent) => {
        const { api_key_id, ...summary } = summarizeVersion(event)
        const api_key_name = api_key_id === undefined ? undefined : apiKeys.find(api_key_id, ownerId)?.name
        return {
          ...summary,
          labels: Object.keys(known).filter((label) => known[label] === summary.version),
          ...defined({ api_key_id, api_key_name }),
        }
      }
      const page = await versionPage(store, templateStream(id), { before, limit, versionOf })
      return versionsBody(page)
    },
  })

  app.get('/templates/:idOrSlug/versions/:version', {
    ...forReading,
    schema: {
      tags: templateTags,
      operationId: 'getTemplateVersion',
      summary: 'Get a version of a template',
      description: 'The template as it was. A version never changes.',
      params: VersionParams,
      querystring: OwnerQuery,
      response: withHeaders(
        { 200: ['ETag'] },
        { 200: TemplateRef, ...errorResponses('VALIDATION_ERROR', 'TEMPLATE_NOT_FOUND') },
      ),
    },
    async handler(request, reply) {
      const template = await read(await find(request), request.params.version)
      return reply.header('etag', entityTag(template.version)).send(template)
    },
  })

  app.post('/templates/:idOrSlug/restore', {
    onRequest: needsScope('templates:write'),
    schema: {
      tags: templateTags,
      operationId: 'restoreTemplate',
      summary: 'Restore a version of a template',
      description:
        'Makes a new version with the content of an older one, and with the partials and assets that it was saved with. A deleted template is restored by its id, and gets its slug back; 409 if another template has that now.',
      headers: Type.Object({ 'if-match': entityTags('412 unless the template has one of these entity tags.', '"3"') }),
      params: TemplateParams,
      querystring: OwnerQuery,
      body: RestoreTemplateBody,
      response: withHeaders(
        { 200: ['ETag'] },
        {
          200: TemplateRef,
          ...errorResponses(...bodyErrors, 'TEMPLATE_NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'),
        },
      ),
    },
    async handler(request, reply) {
      const record = await find(request)
      const { id } = record
      const { version } = request.body
      const ifVersion = await templateVersionToMatch(labels, request.headers['if-match'], {
        id,
        version: record.revision + 1,
      })
      const data = {
        template_id: id,
        owner_id: ownerOf(request).id,
        version,
        ...defined({ if_version: ifVersion }),
      }
      const template = await commands.execute({ type: 'RestoreTemplate', data }, commandMetadata(request))
      if (!template) return noSuchTemplate(id)
      const shown = await labels.shown(id)
      return reply.header('etag', entityTag(templateTag(template.version, shown))).send(withLabels(template, shown))
    },
  })
}
