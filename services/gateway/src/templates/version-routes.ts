import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { fail } from '@platen/domain/http/errors.ts'
import { summarizeVersion } from '@platen/domain/template/summarize-version.ts'
import type { Template } from '@platen/domain/template/template.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import {
  labelPattern,
  RestoreTemplateBody,
  TemplateComparison,
  TemplateVersionSummary,
} from '@platen/domain/template/template-versions.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf, ownerQuery } from '../api-keys/owner-of.ts'
import { invalidField } from '../http/errors/field-problems.ts'
import { entityTag } from '../http/headers/entity-tags.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { bodyErrors, entityTags, errorResponses, pageOf, TemplateRef } from '../http/openapi/route-schemas.ts'
import { defaultLimit, pageQuery, versionBefore, versionsBody } from '../http/pagination.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import type { TemplateRecord } from '../views/template-record.ts'
import { versionPage } from '../views/version-page.ts'
import { compareVersions } from './compare-versions.ts'
import { type CurrentLabels, templateTag, templateVersionToMatch, withLabels } from './current-labels.ts'
import type { CurrentTemplates } from './current-templates.ts'
import type { TemplateCommands } from './template-commands.ts'
import { noSuchTemplate, TemplateParams, templateTags, versionWithLabel } from './template-params.ts'

export interface VersionRoutesOptions {
  templates: CurrentTemplates
  labels: CurrentLabels
  commands: TemplateCommands
  store: StreamReader
}

const maxVersion = 2_147_483_647
const Version = Type.Integer({ minimum: 1, maximum: maxVersion, description: 'A version.', examples: [1] })
const ComparedVersion = (description: string) =>
  Type.String({
    pattern: labelPattern,
    description: `A version, or a label that is not a number. ${description}`,
    examples: ['1'],
  })
const VersionParams = Type.Object({ ...TemplateParams.properties, version: Version })
const forReading = { onRequest: needsScope('templates:read') }

/** The history of a template. That of a deleted template is found by its id. */
export const versionRoutes: FastifyPluginAsyncTypebox<VersionRoutesOptions> = async (app, options) => {
  const { templates, labels, commands, store } = options
  const find = async (request: FastifyRequest<{ Params: { idOrSlug: string } }>) => {
    const { idOrSlug } = request.params
    const { id: ownerId } = ownerOf(request)
    return (await templates.record(idOrSlug, ownerId)) ?? templates.notFound(idOrSlug, ownerId)
  }
  const read = async (record: TemplateRecord, version: number): Promise<Template> =>
    (version <= record.revision + 1 ? await templates.at(record.id, version - 1) : undefined) ??
    noVersion(record, version)

  const comparedVersion = async (record: TemplateRecord, field: string, versionOrLabel: string): Promise<number> => {
    if (/^\d+$/.test(versionOrLabel)) return numberOf(field, versionOrLabel)
    return versionWithLabel(record.id, versionOrLabel, (await labels.of(record.id)).labels)
  }

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
      const { labels: known } = await labels.shown(id)
      const versionOf = (event: StoredEvent) => {
        const summary = summarizeVersion(event)
        return { ...summary, labels: Object.keys(known).filter((label) => known[label] === summary.version) }
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

  app.get('/templates/:idOrSlug/compare', {
    ...forReading,
    schema: {
      tags: templateTags,
      operationId: 'compareTemplateVersions',
      summary: 'Compare two versions of a template',
      description:
        'Sources are compared by lines, as unified diffs; other fields by the paths in them. At most 500 differences are listed.',
      params: TemplateParams,
      querystring: Type.Object(
        {
          from: Type.Optional(ComparedVersion('Default: the version before `to`.')),
          to: Type.Optional(ComparedVersion('Default: the newest version.')),
          ...ownerQuery,
        },
        { additionalProperties: false },
      ),
      response: {
        200: TemplateComparison,
        ...errorResponses('VALIDATION_ERROR', 'TEMPLATE_NOT_FOUND', 'LABEL_NOT_FOUND'),
      },
    },
    async handler(request) {
      const record = await find(request)
      const { from: first, to: last } = request.query
      const to = last === undefined ? newestContent(record) : await comparedVersion(record, 'to', last)
      const from = first === undefined ? Math.max(1, to - 1) : await comparedVersion(record, 'from', first)
      return compareVersions(await read(record, from), await read(record, to))
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
        ...{ template_id: id, owner_id: ownerOf(request).id, version },
        ...(ifVersion !== undefined && { if_version: ifVersion }),
      }
      const template = await commands.execute({ type: 'RestoreTemplate', data }, commandMetadata(request))
      if (!template) return noSuchTemplate(id)
      const shown = await labels.shown(id)
      return reply.header('etag', entityTag(templateTag(template.version, shown))).send(withLabels(template, shown))
    },
  })
}

function numberOf(field: string, digits: string): number {
  const version = Number(digits)
  if (version < 1 || version > maxVersion) invalidField(field, `must be a version from 1 to ${maxVersion}, or a label`)
  return version
}

/** The last version of a deleted template is its deletion, which has no content. */
function newestContent({ state, revision }: TemplateRecord): number {
  return state.status === 'deleted' ? revision : revision + 1
}

function noVersion({ id, revision }: TemplateRecord, version: number): never {
  const newest = revision + 1
  return fail(
    'TEMPLATE_NOT_FOUND',
    version > newest
      ? `Template ${id} has no version ${version}; it has versions 1 to ${newest}`
      : `Version ${version} of template ${id} is its deletion`,
  )
}
