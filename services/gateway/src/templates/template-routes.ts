import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Slug } from '@platen/domain/template/slug.ts'
import {
  CreateTemplateBody,
  ListedTemplate,
  largeFields,
  MergeTemplateBody,
  PutTemplateBody,
  type Template,
  UpdateTemplateBody,
} from '@platen/domain/template/template.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { StringEnum } from '@platen/foundation/json/json.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf, ownerQuery } from '../api-keys/owner-of.ts'
import { invalidField } from '../http/errors/field-problems.ts'
import { entityTag, isNoneMatch } from '../http/headers/entity-tags.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import {
  bodyErrors,
  entityTags,
  errorResponses,
  jsonOrMergePatch,
  noBody,
  pageOf,
  TemplateRef,
} from '../http/openapi/route-schemas.ts'
import { defaultLimit, idBefore, pageBody, pageQuery } from '../http/pagination.ts'
import { idempotencyHeaders } from '../idempotency/idempotent-request.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import type { LabelRecord, LabelView } from '../views/label-view.ts'
import type { TemplateRecord } from '../views/template-record.ts'
import type { TemplateView } from '../views/template-view.ts'
import { type CreateTemplateOptions, createTemplate } from './create-template.ts'
import { type CurrentLabels, templateTag, templateVersionToMatch, withLabels } from './current-labels.ts'
import type { CurrentTemplates } from './current-templates.ts'
import { putTemplate } from './put-template.ts'
import { noSuchTemplate, TemplateParams, templateTags } from './template-params.ts'
import { updateTemplate } from './update-template.ts'

export interface TemplateRoutesOptions extends CreateTemplateOptions {
  view: TemplateView
  labelView: LabelView
  templates: CurrentTemplates
  labels: CurrentLabels
  /** Resolves when the view shows every change that was acknowledged before the call. */
  untilCaughtUp: () => Promise<void>
}

const tags = templateTags
const bodyLimit = 1024 * 1024
const config = { textFields: ['sample_data', 'samples', 'data_schema'] }
const TemplateSort = StringEnum(['created', 'updated', 'name'], {
  title: 'TemplateSort',
  description:
    'The order of the list: `created` and `updated` newest first, `name` from A to Z. Default `created`. A template that changes between two pages may be on both.',
})
const forReading = { onRequest: needsScope('templates:read') }
const forWriting = { onRequest: needsScope('templates:write') }

export const templateRoutes: FastifyPluginAsyncTypebox<TemplateRoutesOptions> = async (app, options) => {
  const { view, labelView, templates, labels, untilCaughtUp, commands } = options
  const find = async (request: FastifyRequest<{ Params: { idOrSlug: string } }>) => {
    const { idOrSlug } = request.params
    const { id: ownerId } = ownerOf(request)
    return (await templates.find(idOrSlug, ownerId)) ?? templates.notFound(idOrSlug, ownerId)
  }

  app.post('/templates', {
    ...forWriting,
    bodyLimit,
    config,
    schema: {
      tags,
      operationId: 'createTemplate',
      summary: 'Create a template',
      description:
        'The template is compiled before it is stored. Without `slug` the slug is derived from the name; a rename keeps it.',
      headers: idempotencyHeaders,
      querystring: OwnerQuery,
      body: CreateTemplateBody,
      response: withHeaders(
        { 201: ['Location', 'ETag', 'idempotency-replayed'] },
        {
          201: TemplateRef,
          ...errorResponses(
            ...bodyErrors,
            'TEMPLATE_SYNTAX_ERROR',
            'TEMPLATE_TOO_COMPLEX',
            'CONFLICT',
            'IDEMPOTENCY_KEY_REUSED',
          ),
        },
      ),
    },
    handler: createTemplate(options),
  })

  app.put('/templates/by-slug/:slug', {
    ...forWriting,
    bodyLimit,
    config,
    schema: {
      tags,
      operationId: 'putTemplate',
      summary: 'Create or replace a template by its slug',
      description:
        'For deployments: creates the template with this slug, or makes its next version with exactly this content. A field that is absent is removed. The same content again changes nothing, unless a partial or asset that it names has changed since: the new version is saved with the current ones.',
      headers: Type.Object({
        'if-match': entityTags('412 unless the template exists and has one of these entity tags.', '"3"'),
        'if-none-match': entityTags('`*`: 412 if the template exists.', '*'),
      }),
      params: Type.Object({ slug: Slug }),
      querystring: OwnerQuery,
      body: PutTemplateBody,
      response: withHeaders(
        { 200: ['ETag'], 201: ['Location', 'ETag'] },
        {
          200: TemplateRef,
          201: TemplateRef,
          ...errorResponses(
            ...bodyErrors,
            'TEMPLATE_SYNTAX_ERROR',
            'TEMPLATE_TOO_COMPLEX',
            'PRECONDITION_FAILED',
            'CONFLICT',
          ),
        },
      ),
    },
    async handler(request, reply) {
      const { template, created } = await putTemplate({ commands, find: templates.find, labels }, request)
      if (created) reply.code(201).header('location', options.urls.template(template.id))
      return sendTemplate(reply, template, await labels.shown(template.id))
    },
  })

  app.get('/templates', {
    ...forReading,
    schema: {
      tags,
      operationId: 'listTemplates',
      summary: 'List templates',
      description:
        'A page of very large templates may have fewer items than `limit`. `next_cursor` is present if there are more.',
      querystring: Type.Object(
        {
          ...pageQuery,
          ...ownerQuery,
          q: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 100,
              description: 'Lists the templates that have this text in their name or slug, in upper or lower case.',
            }),
          ),
          sort: Type.Optional(TemplateSort),
          deleted: Type.Optional(
            Type.Boolean({
              description:
                'Lists the deleted templates instead, without content: `deleted_at` says since when. They can be restored by their id. Default false.',
            }),
          ),
          summary: Type.Optional(
            Type.Boolean({
              description: `Leaves out the fields that may be large: ${largeFields.map((field) => `\`${field}\``).join(', ')}. Default false.`,
            }),
          ),
        },
        { additionalProperties: false },
      ),
      response: {
        200: pageOf('TemplatePage', ListedTemplate, 'A page of templates.'),
        ...errorResponses('VALIDATION_ERROR'),
      },
    },
    async handler(request) {
      const { limit = defaultLimit, cursor, summary = false, deleted = false, q, sort } = request.query
      if (deleted && (q ?? sort) !== undefined)
        invalidField(q === undefined ? 'sort' : 'q', 'is not for deleted templates')
      const { id: ownerId } = ownerOf(request)
      const before = idBefore(cursor, 'tpl')
      await untilCaughtUp()
      const isByField = sort === 'updated' || sort === 'name'
      if (isByField && before !== undefined && ownerIn(view.record(before)) !== ownerId) {
        invalidField('cursor', 'must be the next_cursor of an earlier page of this list')
      }
      const page = view.page({ ownerId, before, limit, summary, deleted, q, sort })
      return pageBody(
        page,
        ({ id }) => id,
        (template) => (deleted ? template : withLabels(template, labelView.record(template.id))),
      )
    },
  })

  app.get('/templates/:idOrSlug', {
    ...forReading,
    schema: {
      tags,
      operationId: 'getTemplate',
      summary: 'Get a template by id or slug',
      description:
        'The `ETag` is the version, and after a dot the revision of its labels, if it has any. With a matching `If-None-Match` the response is a 304.',
      headers: Type.Object({
        'if-none-match': entityTags('The `ETag` of a copy.', '"3"'),
      }),
      params: TemplateParams,
      querystring: OwnerQuery,
      response: withHeaders(
        { 200: ['ETag'], 304: ['ETag'] },
        {
          200: TemplateRef,
          304: noBody('Not modified.'),
          ...errorResponses('TEMPLATE_NOT_FOUND'),
        },
      ),
    },
    async handler(request, reply) {
      const template = await find(request)
      const known = await labels.shown(template.id)
      const tag = templateTag(template.version, known)
      if (!isNoneMatch(request.headers['if-none-match'], tag)) return sendTemplate(reply, template, known)
      return reply.header('etag', entityTag(tag)).code(304).send()
    },
  })

  app.patch('/templates/:idOrSlug', {
    ...forWriting,
    bodyLimit,
    config,
    schema: {
      tags,
      operationId: 'updateTemplate',
      summary: 'Update a template',
      description:
        'Absent fields keep their values, and `null` removes an optional one. As `application/merge-patch+json` (RFC 7396), objects are merged into the current ones instead of replacing them. A change creates the next version. With `If-Match: "<version>"` the update fails with 412 if the template is at another version.',
      headers: Type.Object({ 'if-match': entityTags('412 unless the template has one of these entity tags.', '"3"') }),
      params: TemplateParams,
      querystring: OwnerQuery,
      body: jsonOrMergePatch(UpdateTemplateBody, MergeTemplateBody),
      response: withHeaders(
        { 200: ['ETag'] },
        {
          200: TemplateRef,
          ...errorResponses(
            ...bodyErrors,
            'TEMPLATE_NOT_FOUND',
            'PRECONDITION_FAILED',
            'TEMPLATE_SYNTAX_ERROR',
            'TEMPLATE_TOO_COMPLEX',
          ),
        },
      ),
    },
    async handler(request, reply) {
      const template = await updateTemplate({ commands, find, labels }, request)
      if (!template) return noSuchTemplate(request.params.idOrSlug)
      return sendTemplate(reply, template, await labels.shown(template.id))
    },
  })

  app.delete('/templates/:idOrSlug', {
    ...forWriting,
    schema: {
      tags,
      operationId: 'deleteTemplate',
      summary: 'Delete a template',
      headers: Type.Object({ 'if-match': entityTags('412 unless the template has one of these entity tags.', '"3"') }),
      params: TemplateParams,
      querystring: OwnerQuery,
      response: {
        204: noBody('Deleted.'),
        ...errorResponses('TEMPLATE_NOT_FOUND', 'PRECONDITION_FAILED'),
      },
    },
    async handler(request, reply) {
      const template = await find(request)
      const version = await templateVersionToMatch(labels, request.headers['if-match'], template)
      const data = {
        template_id: template.id,
        owner_id: ownerOf(request).id,
        ...defined({ if_version: version }),
      }
      await commands.execute({ type: 'DeleteTemplate', data }, commandMetadata(request))
      return reply.code(204).send()
    },
  })
}

function sendTemplate(reply: FastifyReply, template: Template, labels: LabelRecord) {
  return reply.header('etag', entityTag(templateTag(template.version, labels))).send(withLabels(template, labels))
}

const ownerIn = (record: TemplateRecord | undefined) =>
  record === undefined || record.state.status === 'absent' ? undefined : record.state.ownerId
