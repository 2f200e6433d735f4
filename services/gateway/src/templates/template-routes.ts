import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CreateTemplateBody, type Template, UpdateTemplateBody } from '@platen/shared/contracts/template.ts'
import { DomainError } from '@platen/shared/runtime/errors.ts'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { entityTag, isNoneMatch, versionToMatch } from '../http/headers/entity-tags.ts'
import { bodyErrors, errorResponses, noBody, pageOf, TemplateRef } from '../http/openapi/references.ts'
import { idBefore } from '../http/page.ts'
import { defaultLimit, pageBody, pageQuery } from '../http/page-query.ts'
import { idempotencyHeaders } from '../idempotency/idempotency-headers.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import { type CreateTemplateOptions, createTemplate } from './create-template.ts'
import { checkTemplateSize } from './template-limits.ts'
import type { TemplateView } from './template-view.ts'

export interface TemplateRoutesOptions extends CreateTemplateOptions {
  templates: TemplateView
}

const tags = ['Templates']
const bodyLimit = 1024 * 1024
const Params = Type.Object({ idOrSlug: Type.String({ description: 'id (`tpl_…`) or slug' }) })
const readers = { onRequest: needsScope('templates:read') }
const writers = { onRequest: needsScope('templates:write') }

export const templateRoutes: FastifyPluginAsyncTypebox<TemplateRoutesOptions> = async (app, options) => {
  const { templates, commands } = options
  const find = (idOrSlug: string) => templates.find(idOrSlug) ?? missing(idOrSlug)

  app.post('/templates', {
    ...writers,
    bodyLimit,
    schema: {
      tags,
      operationId: 'createTemplate',
      summary: 'Create a template',
      description: 'The source is compiled at once; the slug is made from the name and stays when that changes.',
      headers: idempotencyHeaders,
      body: CreateTemplateBody,
      response: {
        201: TemplateRef,
        ...errorResponses(...bodyErrors, 'TEMPLATE_SYNTAX_ERROR', 'TEMPLATE_TOO_COMPLEX', 'IDEMPOTENCY_KEY_REUSED'),
      },
    },
    handler: createTemplate(options),
  })

  app.get('/templates', {
    ...readers,
    schema: {
      tags,
      operationId: 'listTemplates',
      summary: 'List templates, newest first',
      description:
        'A page of very large templates may hold fewer than `limit`; `next_cursor` tells whether there is more.',
      querystring: Type.Object(pageQuery, { additionalProperties: false }),
      response: { 200: pageOf(TemplateRef, 'A page of templates.'), ...errorResponses('VALIDATION_ERROR') },
    },
    async handler({ query: { limit = defaultLimit, cursor } }) {
      const page = templates.page({ before: idBefore(cursor, 'tpl'), limit })
      return pageBody(
        page,
        ({ id }) => id,
        (template) => template,
      )
    },
  })

  app.get('/templates/:idOrSlug', {
    ...readers,
    schema: {
      tags,
      operationId: 'getTemplate',
      summary: 'Read a template by id or slug',
      description: '`ETag` is the version; `If-None-Match` answers 304 where nothing has changed.',
      params: Params,
      response: {
        200: TemplateRef,
        304: noBody('Not modified.'),
        ...errorResponses('TEMPLATE_NOT_FOUND'),
      },
    },
    async handler({ params, headers }, reply) {
      const template = find(params.idOrSlug)
      if (!isNoneMatch(headers['if-none-match'], template.version)) return sendTemplate(reply, template)
      return reply.header('etag', entityTag(template.version)).code(304).send()
    },
  })

  app.patch('/templates/:idOrSlug', {
    ...writers,
    bodyLimit,
    schema: {
      tags,
      operationId: 'updateTemplate',
      summary: 'Change fields of a template',
      description:
        'Fields that are left out stay; a change makes the next version. With `If-Match: "<version>"` only that version is changed.',
      headers: Type.Object({ 'if-match': Type.Optional(Type.String({ examples: ['"3"'] })) }),
      params: Params,
      body: UpdateTemplateBody,
      response: {
        200: TemplateRef,
        ...errorResponses(
          ...bodyErrors,
          'TEMPLATE_NOT_FOUND',
          'PRECONDITION_FAILED',
          'TEMPLATE_SYNTAX_ERROR',
          'TEMPLATE_TOO_COMPLEX',
        ),
      },
    },
    async handler(request, reply) {
      const { params, body, headers } = request
      checkTemplateSize(body)
      const { id, version } = find(params.idOrSlug)
      const data = { template_id: id, changes: body, ...condition(headers['if-match'], version) }
      const template = await commands.carryOut({ type: 'UpdateTemplate', data }, commandMetadata(request))
      return sendTemplate(reply, template ?? missing(params.idOrSlug))
    },
  })

  app.delete('/templates/:idOrSlug', {
    ...writers,
    schema: {
      tags,
      operationId: 'deleteTemplate',
      summary: 'Delete a template',
      headers: Type.Object({ 'if-match': Type.Optional(Type.String({ examples: ['"3"'] })) }),
      params: Params,
      response: {
        204: noBody('Deleted.'),
        ...errorResponses('TEMPLATE_NOT_FOUND', 'PRECONDITION_FAILED'),
      },
    },
    async handler(request, reply) {
      const { params, headers } = request
      const { id, version } = find(params.idOrSlug)
      const data = { template_id: id, ...condition(headers['if-match'], version) }
      await commands.carryOut({ type: 'DeleteTemplate', data }, commandMetadata(request))
      return reply.code(204).send()
    },
  })
}

function condition(ifMatch: string | undefined, currentVersion: number): { if_version?: number } {
  const version = versionToMatch(ifMatch, currentVersion)
  return version === undefined ? {} : { if_version: version }
}

function sendTemplate(reply: FastifyReply, template: Template) {
  return reply.header('etag', entityTag(template.version)).send(template)
}

function missing(idOrSlug: string): never {
  throw new DomainError('TEMPLATE_NOT_FOUND', `No template ${idOrSlug.slice(0, 100)}`)
}
