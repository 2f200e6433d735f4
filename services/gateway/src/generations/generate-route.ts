import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { GenerateBody } from '@platen/domain/generation/generation.ts'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery } from '../api-keys/owner-of.ts'
import { callbacks } from '../http/openapi/webhooks.ts'
import { jsonsOf } from '../http/plugins/json-parser.ts'
import {
  type AnswerOptions,
  answerGeneration,
  generationBodyLimit,
  generationHeaders,
  generationResponses,
} from './answer-generation.ts'
import { checkGenerateBody } from './check-generate-body.ts'
import { callerOf } from './find-generation.ts'
import { generateExamples } from './generate-examples.ts'
import { checkRetainInput } from './keep-input.ts'
import { resolveInput } from './resolve-input.ts'
import { type TemplateLookupOptions, templateLookup } from './template-lookup.ts'

export type GenerateOptions = AnswerOptions & TemplateLookupOptions

export const generateRoute: FastifyPluginAsyncTypebox<GenerateOptions> = async (app, options) => {
  app.post('/generate', {
    onRequest: needsScope('generate'),
    config: { textFields: ['data'] },
    bodyLimit: generationBodyLimit,
    schema: {
      tags: ['Generations'],
      operationId: 'generate',
      summary: 'Generate a PDF',
      description: [
        'From inline `html` or from a stored `template`. Exactly one of the two is required.',
        'Synchronous by default: 200 with the result. With `async: true`, or `Prefer: respond-async`: 202, to be polled.',
        'With `Accept: application/pdf` the 200 is the PDF itself. Without it, `GET /v1/generations/{id}/file` has the PDF. Of pictures (`options.output.images`) it is the same with `image/png`, `image/jpeg`, `image/webp` or, for several, `application/zip`.',
        'Inline `html` is a Handlebars template only if `data` is given. Without `data` it is printed unchanged.',
        'The `x-generation-id` header identifies the generation, also in error responses.',
      ].join('\n\n'),
      headers: generationHeaders,
      querystring: OwnerQuery,
      body: { ...GenerateBody, 'x-examples': generateExamples },
      callbacks,
      response: generationResponses(),
    },
    async handler(request, reply) {
      checkGenerateBody(request.body)
      checkRetainInput(request.body.retain_input, options.config)
      const resolve = async () => {
        const { ownerId: owner, apiKeyId: key } = callerOf(request)
        const body = { ...request.body, data_json: jsonsOf(request).data }
        const { retainInput: ofTemplate, ...resolved } = await resolveInput(
          body,
          templateLookup(options, { owner, key }),
        )
        const { retain_input: asked, options: requested } = request.body
        return { ...resolved, keep: { asked, ofTemplate, options: requested } }
      }
      return answerGeneration(options, { request, reply, resolve })
    },
  })
}
