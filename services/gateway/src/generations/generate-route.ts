import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { GenerateBody } from '@platen/domain/generation/generation.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import type { Inbox } from '@platen/messaging/requests/reply.ts'
import { Type } from 'typebox'
import { apiKeyOf, needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery } from '../api-keys/owner-of.ts'
import { clientDisconnected } from '../http/errors/disconnects.ts'
import { parsePrefer, wantsPdf } from '../http/headers/preferences.ts'
import { addVary } from '../http/headers/response-headers.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { bodyErrors, errorResponses, GenerationRef, printErrors } from '../http/openapi/route-schemas.ts'
import { callbacks } from '../http/openapi/webhooks.ts'
import type { IdempotencyEntries } from '../idempotency/idempotency-entries.ts'
import { beginIdempotentRequest, idempotencyHeaders, replayedHeader } from '../idempotency/idempotent-request.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import type { RequestLimiter } from '../limits/request-limiter.ts'
import { wasRefused } from '../views/generation-record.ts'
import { checkGenerateBody } from './check-generate-body.ts'
import { generateExamples } from './generate-examples.ts'
import { respondAccepted, respondWithResult, type SyncResponseOptions } from './generate-responses.ts'
import { responseMode } from './response-mode.ts'
import { type SubmitOptions, submitGeneration } from './submit-generation.ts'

export type GenerateOptions = SubmitOptions &
  SyncResponseOptions & {
    config: { syncTimeoutMs: number }
    inbox: Inbox
    idempotency: IdempotencyEntries
    limiter: RequestLimiter
  }

const bodyLimit = 6 * 1024 * 1024

/** `Prefer` is not checked: a server ignores what it does not know. */
const headers = Type.Object({
  ...idempotencyHeaders.properties,
  prefer: Type.Optional(
    Type.String({
      description: '`respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).',
      examples: ['respond-async, wait=10'],
    }),
  ),
})

export const generateRoute: FastifyPluginAsyncTypebox<GenerateOptions> = async (app, options) => {
  app.post('/generate', {
    onRequest: needsScope('generate'),
    config: { textFields: ['data'] },
    bodyLimit,
    schema: {
      tags: ['Generations'],
      operationId: 'generate',
      summary: 'Generate a PDF',
      description: [
        'From inline `html` or from a stored `template`. Exactly one of the two is required.',
        'Synchronous by default: 200 with the result. With `async: true`, or `Prefer: respond-async`: 202, to be polled.',
        'With `Accept: application/pdf` the 200 is the PDF itself. Without it, `GET /v1/generations/{id}/file` has the PDF.',
        'Inline `html` is a Handlebars template only if `data` is given. Without `data` it is printed unchanged.',
        'The `x-generation-id` header identifies the generation, also in error responses.',
      ].join('\n\n'),
      headers,
      querystring: OwnerQuery,
      body: { ...GenerateBody, 'x-examples': generateExamples },
      callbacks,
      response: withHeaders(
        {
          200: ['Preference-Applied', 'x-generation-id', 'idempotency-replayed'],
          202: ['Location', 'Retry-After', 'Preference-Applied', 'x-generation-id', 'idempotency-replayed'],
          422: ['x-generation-id'],
          504: ['Location', 'Retry-After', 'x-generation-id'],
        },
        {
          // The PDF is left out: generators of clients know only one type of a response.
          200: GenerationRef,
          202: GenerationRef,
          ...errorResponses(
            ...bodyErrors,
            ...printErrors,
            'CONFLICT',
            'WEBHOOK_URL_FORBIDDEN',
            'IDEMPOTENCY_KEY_REUSED',
            'STORAGE_UNAVAILABLE',
            'WAIT_TIMEOUT',
          ),
        },
      ),
    },
    async handler(request, reply) {
      checkGenerateBody(request.body)
      const { body, headers } = request
      const mode = responseMode(body, parsePrefer(headers.prefer), options.config.syncTimeoutMs)
      const { isAsync, applied } = mode
      const disconnected = clientDisconnected(reply)
      const { id: apiKeyId, ownerId } = apiKeyOf(request)
      releaseSlot(request)
      using _slot = await options.limiter.take({ ownerId, apiKeyId, isAsync, disconnected })
      const asPdf = !isAsync && wantsPdf(headers.accept)
      const { finder } = options
      const isRefused = async (id: string) => wasRefused(await finder.findStarted(id))
      const idempotent = await beginIdempotentRequest(options.idempotency, request, { prefix: 'pdf', isRefused })
      if (idempotent.repeated) reply.header(replayedHeader, 'true')
      addVary(reply, 'Accept', 'Prefer')
      reply.headers({
        'x-generation-id': idempotent.id,
        ...(applied !== undefined && { 'preference-applied': applied }),
      })

      using pending = options.inbox.expect<GenerationOutcome>()
      const replyTo = pending.subject
      const generation = await submitGeneration(options, {
        request,
        mode,
        idempotent,
        replyTo,
        disconnected,
      })
      // A repeated request with `async` gets a 202 again. A repeated one with `Prefer` gets the result if it exists.
      if (isAsync && (body.async === true || !idempotent.repeated)) {
        return respondAccepted(options, { generation, reply })
      }
      const submitted = { generation, pending, mode, asPdf, request, reply, disconnected }
      return await respondWithResult(options, submitted)
    },
  })
}
