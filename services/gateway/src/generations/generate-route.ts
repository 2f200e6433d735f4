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

import { checkRetainInput } from './keep-input.ts'
import { resolveInput } from './resolve-input.ts'
import { type TemplateLookupOptions, templateLookup } from './template-lookup.ts'

interface NamedExample {
  summary: string
  value: GenerateBody
}

const chart = `<!doctype html>
<html lang="en"><title>Sales</title><h1>Sales</h1><canvas id="chart" width="300" height="100"></canvas>
<script>
  const canvas = document.getElementById('chart').getContext('2d')
  const sales = [20, 60, 90]
  sales.forEach((height, at) => canvas.fillRect(at * 100, 100 - height, 80, height))
  window.chartReady = true
</script>`

/** Examples of the request body in the OpenAPI document. Each succeeds when it is sent, also without the internet. */
const generateExamples: Record<string, NamedExample> = {
  inline: {
    summary: 'Inline HTML with data',
    value: { html: '<h1>Hello {{name}}</h1>', data: { name: 'Ada' } },
  },
  chart: {
    summary: 'A chart drawn by a script',
    value: { html: chart, options: { wait_for: { expression: 'window.chartReady === true' }, outline: true } },
  },
  async: {
    summary: 'Asynchronously, with page numbers',
    value: {
      html: '<h1>Invoice {{number}}</h1>{{#each lines}}<p>{{text}}: {{amount}}</p>{{/each}}',
      data: { number: 'R-1001', lines: [{ text: 'Work', amount: 120 }] },
      options: {
        format: 'A4',
        margin: { top: 25, bottom: 20 },
        footer_html: '<span class="pageNumber"></span> / <span class="totalPages"></span>',
      },
      async: true,
    },
  },
}

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
