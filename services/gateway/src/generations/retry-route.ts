import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { jsonSha256 } from '@platen/foundation/json/canonical-json.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { hasScope, needsScope, requireScope } from '../api-keys/authentication.ts'
import { OwnerQuery } from '../api-keys/owner-of.ts'
import { clientDisconnected } from '../http/errors/disconnects.ts'
import { invalidField } from '../http/errors/field-problems.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { bodyErrors, errorResponses, GenerationRef, idParams } from '../http/openapi/route-schemas.ts'
import type { Urls } from '../http/urls.ts'
import type { IdempotencyEntries } from '../idempotency/idempotency-entries.ts'
import { beginIdempotentRequest, idempotencyHeaders, replayedHeader } from '../idempotency/idempotent-request.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import type { RequestLimiter } from '../limits/request-limiter.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import { takeSlot } from './answer-generation.ts'
import { callerOf, type GenerationFinder, generationNotFound } from './find-generation.ts'
import { respondAccepted } from './generate-responses.ts'
import type { GenerationQueue } from './generation-queue.ts'
import { checkRetainInput, type RetainPolicy } from './keep-input.ts'
import { type MadeAgainOptions, madeAgain } from './made-again.ts'
import { RetryBody } from './retry-body.ts'

export interface RetryRouteOptions extends MadeAgainOptions {
  config: MadeAgainOptions['config'] & RetainPolicy
  finder: GenerationFinder
  generationQueue: GenerationQueue
  idempotency: IdempotencyEntries
  limiter: RequestLimiter
  urls: Urls
}

export const retryRoute: FastifyPluginAsyncTypebox<RetryRouteOptions> = async (app, options) => {
  const { finder, idempotency, generationQueue } = options

  app.post('/generations/:id/retry', {
    onRequest: needsScope('generate'),
    config: { optionalBody: true },
    schema: {
      tags: ['Generations'],
      operationId: 'retryGeneration',
      summary: 'Render the document of a generation that has ended again',
      description: [
        'As a new generation with the same input, template version, `metadata`, `file_name` and `webhook_url`, and with `retry_of`. `input_kept_until` of the generation says until when this works: the input is stored for `retain_input` days; inputs over 640 KiB, and those of batches, also without it, for the retention of inputs (7 days by default). Without one the response is a 409 that says why, and the request is sent again by whoever has its data.',
        'With `template_version` or `template_label` the data and options of the request are rendered with that version of the template. That needs an input that was kept with `retain_input`.',
        'The input of the new generation is kept only for an API key with the scope `generations:read`.',
      ].join('\n\n'),
      params: idParams('pdf'),
      headers: idempotencyHeaders,
      querystring: OwnerQuery,
      body: RetryBody,
      response: withHeaders(
        { 202: ['Location', 'Retry-After', 'x-generation-id', 'idempotency-replayed'] },
        {
          202: GenerationRef,
          ...errorResponses(
            ...bodyErrors,
            'GENERATION_NOT_FOUND',
            'TEMPLATE_NOT_FOUND',
            'LABEL_NOT_FOUND',
            'CONFLICT',
            'INPUT_LIMIT_EXCEEDED',
            'WEBHOOK_URL_FORBIDDEN',
            'IDEMPOTENCY_KEY_REUSED',
            'QUEUE_FULL',
            'STORAGE_UNAVAILABLE',
          ),
        },
      ),
    },
    async handler(request, reply) {
      const { body: changes } = request
      if (changes.template_version !== undefined && changes.template_label !== undefined)
        invalidField('template_label', 'cannot be given together with template_version')
      checkRetainInput(changes.retain_input, options.config)
      // Who may not read the input of a generation does not prolong its keeping either.
      const mayRead = hasScope(request, 'generations:read')
      if (changes.retain_input) requireScope(request, 'generations:read')
      const { id } = request.params
      const caller = callerOf(request)
      const ended = await finder.find(id, caller)
      if (!ended) throw generationNotFound(id)
      releaseSlot(request)
      using _slot = await takeSlot(options, request, { isAsync: true, disconnected: clientDisconnected(reply) })
      // The key is bound to the generation, too.
      const given = { id: newId('pdf'), sha256: jsonSha256([id, changes]) }
      const idempotent = await beginIdempotentRequest(idempotency, request, { prefix: 'pdf', given })
      if (idempotent.repeated) reply.header(replayedHeader, 'true')
      reply.header('x-generation-id', idempotent.id)
      const asking = { idempotent, caller, cause: commandMetadata(request, idempotent.commandId) }
      const retry = { id: idempotent.id, caller, changes: mayRead ? changes : { ...changes, retain_input: 0 } }
      const generation = await generationQueue.submitOnce(asking, () => madeAgain(options, ended, retry))
      return respondAccepted(options, { generation, reply })
    },
  })
}
