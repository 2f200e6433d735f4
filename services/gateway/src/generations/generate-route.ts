import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { GenerateBody } from '@platen/shared/contracts/generation.ts'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { wantsPdf } from '../http/headers/accept.ts'
import { bodyErrors, errorResponses, GenerationRef } from '../http/openapi/references.ts'
import { beginAttempt } from '../idempotency/attempts.ts'
import { idempotencyHeaders, replayedHeader } from '../idempotency/idempotency-headers.ts'
import { checkGenerateBody } from './check-generate-body.ts'
import { answerAccepted, answerWhenDone, type GenerateOptions, sendAnswer } from './generate-answers.ts'
import { generateExamples } from './generate-examples.ts'
import { submitGeneration } from './submit-generation.ts'

const bodyLimit = 6 * 1024 * 1024

const jsonOrPdf = {
  description: 'The result; for `Accept: application/pdf` the PDF itself.',
  content: {
    'application/json': { schema: GenerationRef },
    'application/pdf': { schema: Type.String({ format: 'binary' }) },
  },
}

export const generateRoutes: FastifyPluginAsyncTypebox<GenerateOptions> = async (app, options) => {
  app.post('/generate', {
    onRequest: needsScope('generate'),
    bodyLimit,
    schema: {
      tags: ['Generations'],
      operationId: 'generate',
      summary: 'Generate a PDF',
      description: [
        'From inline `html` or from a stored `template`; one of the two is required.',
        'Synchronous (200 with the result, or the PDF itself for `Accept: application/pdf`) unless `async` is true (202, to be polled).',
        'Inline html is a Handlebars source only when `data` is given; without it, it is printed as it stands.',
      ].join('\n\n'),
      headers: idempotencyHeaders,
      body: { ...GenerateBody, examples: generateExamples },
      response: {
        200: jsonOrPdf,
        202: GenerationRef,
        ...errorResponses(
          ...bodyErrors,
          'TEMPLATE_NOT_FOUND',
          'CONFLICT',
          'TEMPLATE_SYNTAX_ERROR',
          'TEMPLATE_RENDER_ERROR',
          'TEMPLATE_TOO_COMPLEX',
          'RENDER_FAILED',
          'RENDER_LIMIT_EXCEEDED',
          'WEBHOOK_URL_FORBIDDEN',
          'IDEMPOTENCY_KEY_REUSED',
          'QUEUE_FULL',
          'STORAGE_UNAVAILABLE',
          'RENDER_TIMEOUT',
        ),
      },
    },
    async handler(request, reply) {
      const pdfOptions = checkGenerateBody(request.body)
      const asPdf = request.body.async !== true && wantsPdf(request.headers.accept)
      const attempt = await beginAttempt(options.idempotency, request, 'pdf')
      if (attempt.repeated) reply.header(replayedHeader, 'true')
      if (attempt.earlier && !asPdf) return sendAnswer(reply, attempt.earlier)

      using pending = options.inbox.expect<never>()
      const generation = await submitGeneration(options, { request, pdfOptions, attempt, replyTo: pending.subject })
      if (request.body.async === true) return await answerAccepted(options, { generation, attempt, reply })
      return await answerWhenDone(options, { generation, attempt, pending, asPdf, reply })
    },
  })
}
