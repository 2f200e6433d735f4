import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { GenerateBody, type GenerationOutcome } from '@platen/shared/contracts/generation.ts'
import type { Inbox } from '@platen/shared/messaging/requests/reply.ts'
import { Type } from 'typebox'
import { apiKeyOf, needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery } from '../api-keys/owner-of.ts'
import { clientDisconnected } from '../http/client-disconnected.ts'
import { wantsPdf } from '../http/headers/accept.ts'
import { bodyErrors, errorResponses, GenerationRef } from '../http/openapi/references.ts'
import type { IdempotencyEntries } from '../idempotency/idempotency-entries.ts'
import { idempotencyHeaders, replayedHeader } from '../idempotency/idempotency-headers.ts'
import { beginIdempotentRequest } from '../idempotency/idempotent-request.ts'
import { checkGenerateBody } from './check-generate-body.ts'
import { generateExamples } from './generate-examples.ts'
import { respondAccepted, respondWithResult, type SyncResponseOptions, send } from './generate-responses.ts'
import type { RequestTurns } from './request-turns.ts'
import { type SubmitOptions, submitGeneration } from './submit-generation.ts'

export type GenerateOptions = SubmitOptions &
  SyncResponseOptions & {
    inbox: Inbox
    idempotency: IdempotencyEntries
    turns: RequestTurns
  }

const bodyLimit = 6 * 1024 * 1024

const jsonOrPdf = {
  description: 'The result, or the PDF for `Accept: application/pdf`.',
  content: {
    'application/json': { schema: GenerationRef },
    'application/pdf': { schema: Type.String({ format: 'binary' }) },
  },
}

export const generateRoute: FastifyPluginAsyncTypebox<GenerateOptions> = async (app, options) => {
  app.post('/generate', {
    onRequest: needsScope('generate'),
    bodyLimit,
    schema: {
      tags: ['Generations'],
      operationId: 'generate',
      summary: 'Generate a PDF',
      description: [
        'From inline `html` or from a stored `template`. Exactly one of the two is required.',
        'Synchronous by default: 200 with the result, or with the PDF for `Accept: application/pdf`. With `async: true`: 202, to be polled.',
        'Inline `html` is a Handlebars template only if `data` is given. Without `data` it is printed unchanged.',
        'The `x-generation-id` header identifies the generation, also in error responses.',
      ].join('\n\n'),
      headers: idempotencyHeaders,
      querystring: OwnerQuery,
      body: { ...GenerateBody, 'x-examples': generateExamples },
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
      const isAsync = request.body.async === true
      const disconnected = clientDisconnected(reply)
      using _turn = await options.turns.take({ apiKeyId: apiKeyOf(request).id, isAsync, disconnected })
      const asPdf = !isAsync && wantsPdf(request.headers.accept)
      const idempotent = await beginIdempotentRequest(options.idempotency, request, 'pdf')
      if (idempotent.repeated) reply.header(replayedHeader, 'true')
      // JSON responses have the signed URL of the file.
      reply.headers({ 'x-generation-id': idempotent.id, 'cache-control': 'no-store' })
      if (idempotent.earlierResponse && !asPdf) return send(reply, idempotent.earlierResponse)

      using pending = options.inbox.expect<GenerationOutcome>()
      const replyTo = pending.subject
      const generation = await submitGeneration(options, { request, pdfOptions, idempotent, replyTo, disconnected })
      if (isAsync) return await respondAccepted(options, { generation, idempotent, reply })
      return await respondWithResult(options, { generation, idempotent, pending, asPdf, request, reply, disconnected })
    },
  })
}
