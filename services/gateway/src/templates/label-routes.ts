import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Label, LabelBody, TemplateLabels } from '@platen/domain/template/template-versions.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf } from '../api-keys/owner-of.ts'
import { bodyErrors, errorResponses, noBody } from '../http/openapi/route-schemas.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import type { CurrentTemplates } from './current-templates.ts'
import type { TemplateCommands } from './template-commands.ts'
import { TemplateParams, templateTags } from './template-params.ts'

export interface LabelRoutesOptions {
  templates: CurrentTemplates
  commands: TemplateCommands
}

const LabelParams = Type.Object({ ...TemplateParams.properties, label: Label })
const forWriting = { onRequest: needsScope('templates:write') }

/** Labels name versions. `published` and `draft` are conventions; Platen gives no label a meaning. */
export const labelRoutes: FastifyPluginAsyncTypebox<LabelRoutesOptions> = async (app, { templates, commands }) => {
  const target = async (request: FastifyRequest<{ Params: { idOrSlug: string; label: string } }>) => {
    const { idOrSlug, label } = request.params
    const owner_id = ownerOf(request).id
    const { id } = (await templates.find(idOrSlug, owner_id)) ?? templates.notFound(idOrSlug, owner_id)
    return { template_id: id, owner_id, label }
  }

  app.put('/templates/:idOrSlug/labels/:label', {
    ...forWriting,
    schema: {
      tags: templateTags,
      operationId: 'setTemplateLabel',
      summary: 'Give a version of a template a label',
      description:
        'A label that exists moves to the version. `template_label` of a request to generate chooses the version that has it. A template may have 50 labels.',
      params: LabelParams,
      querystring: OwnerQuery,
      body: LabelBody,
      response: { 200: TemplateLabels, ...errorResponses(...bodyErrors, 'TEMPLATE_NOT_FOUND') },
    },
    async handler(request) {
      const data = { ...(await target(request)), version: request.body.version }
      const { labels } = await commands.label({ type: 'SetTemplateLabel', data }, commandMetadata(request))
      return { labels }
    },
  })

  app.delete('/templates/:idOrSlug/labels/:label', {
    ...forWriting,
    schema: {
      tags: templateTags,
      operationId: 'removeTemplateLabel',
      summary: 'Remove a label of a template',
      params: LabelParams,
      querystring: OwnerQuery,
      response: {
        204: noBody('Removed.'),
        ...errorResponses('VALIDATION_ERROR', 'TEMPLATE_NOT_FOUND', 'LABEL_NOT_FOUND'),
      },
    },
    async handler(request, reply) {
      const data = await target(request)
      await commands.label({ type: 'RemoveTemplateLabel', data }, commandMetadata(request))
      return reply.code(204).send()
    },
  })
}
