import type { GenerateBody, GenerationRequest } from '@platen/domain/generation/generation.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Inbox } from '@platen/messaging/requests/reply.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { apiKeyOf } from '../api-keys/authentication.ts'
import { clientDisconnected } from '../http/errors/disconnects.ts'
import { parsePrefer, wantsFile } from '../http/headers/preferences.ts'
import { addVary } from '../http/headers/response-headers.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { bodyErrors, errorResponses, GenerationRef, printErrors } from '../http/openapi/route-schemas.ts'
import type { IdempotencyEntries } from '../idempotency/idempotency-entries.ts'
import { beginIdempotentRequest, idempotencyHeaders, replayedHeader } from '../idempotency/idempotent-request.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import type { LimitedRequest, RequestLimiter } from '../limits/request-limiter.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import { wasRefused } from '../views/generation-record.ts'
import { checkWebhookUrl, type WebhookUrlPolicy } from '../webhooks/webhook-url.ts'
import { callerOf, type GenerationFinder } from './find-generation.ts'
import { respondAccepted, respondWithResult, type SyncResponseOptions } from './generate-responses.ts'
import type { Document, GenerationQueue } from './generation-queue.ts'
import type { RetainPolicy } from './keep-input.ts'
import { responseMode } from './response-mode.ts'

export type AnswerOptions = SyncResponseOptions & {
  config: WebhookUrlPolicy & RetainPolicy & { syncTimeoutMs: number }
  finder: GenerationFinder
  generationQueue: GenerationQueue
  inbox: Inbox
  idempotency: IdempotencyEntries
  limiter: RequestLimiter
}

export const generationBodyLimit = 6 * 1024 * 1024

/** `Prefer` is not checked: a server ignores what it does not know. */
export const generationHeaders = Type.Object({
  ...idempotencyHeaders.properties,
  prefer: Type.Optional(
    Type.String({
      description: '`respond-async`: answer with 202, or with `wait=<seconds>` only after that time (RFC 7240).',
      examples: ['respond-async, wait=10'],
    }),
  ),
})

/** The responses of a route that makes a generation. */
export function generationResponses(...codes: Parameters<typeof errorResponses>) {
  return withHeaders(
    {
      200: ['Preference-Applied', 'x-generation-id', 'idempotency-replayed'],
      202: ['Location', 'Retry-After', 'Preference-Applied', 'x-generation-id', 'idempotency-replayed'],
      422: ['x-generation-id'],
      504: ['Location', 'Retry-After', 'x-generation-id'],
    },
    {
      // The file is left out: generators of clients know only one type of a response.
      200: GenerationRef,
      202: GenerationRef,
      ...errorResponses(
        ...bodyErrors,
        ...printErrors,
        'ASSET_NOT_FOUND',
        'PDF_TOOL_ERROR',
        'CONFLICT',
        'WEBHOOK_URL_FORBIDDEN',
        'IDEMPOTENCY_KEY_REUSED',
        'INPUT_LIMIT_EXCEEDED',
        'STORAGE_UNAVAILABLE',
        'WAIT_TIMEOUT',
        ...codes,
      ),
    },
  )
}

interface Asked {
  request: FastifyRequest<{ Body: Pick<GenerateBody, 'async' | 'webhook_url' | 'metadata' | 'file_name'> }>
  reply: FastifyReply
  /** What is made. Throws what the request is refused with. Not called for a repeated request. */
  resolve: () => Promise<Pick<Document, 'input' | 'keep'> & Pick<GenerationRequest, 'template' | 'operation'>>
}

/** Queues a generation, unless the request is repeated, and answers with it, with its file, or with a 202. */
export async function answerGeneration(options: AnswerOptions, { request, reply, resolve }: Asked) {
  const { body, headers } = request
  const mode = responseMode(body, parsePrefer(headers.prefer), options.config.syncTimeoutMs)
  const { isAsync, applied } = mode
  const disconnected = clientDisconnected(reply)
  releaseSlot(request)
  using _slot = await takeSlot(options, request, { isAsync, disconnected })
  const { finder, generationQueue } = options
  const isRefused = async (id: string) => wasRefused(await finder.findStarted(id))
  const idempotent = await beginIdempotentRequest(options.idempotency, request, { prefix: 'pdf', isRefused })
  if (idempotent.repeated) reply.header(replayedHeader, 'true')
  addVary(reply, 'Accept', 'Prefer')
  reply.headers({
    'x-generation-id': idempotent.id,
    ...(applied !== undefined && { 'preference-applied': applied }),
  })

  using pending = options.inbox.expect<GenerationOutcome>()
  const returns = mode.outlivesWait || idempotent.hasKey || body.webhook_url !== undefined
  const { timeoutMs } = mode
  const client = isAsync ? undefined : { timeoutMs, returns, replyTo: pending.subject, disconnected }
  const cause = commandMetadata(request, idempotent.commandId)
  const generation = await generationQueue.submitOnce(
    { idempotent, caller: callerOf(request), cause, client },
    async () => {
      const { webhook_url, metadata, file_name } = body
      const { input, keep, ...made } = await resolve()
      if (webhook_url !== undefined) await checkWebhookUrl(webhook_url, options.config)
      return { details: { ...made, metadata, file_name, webhook_url }, input, ...defined({ keep }) }
    },
  )
  // A repeated request with `async` gets a 202 again. A repeated one with `Prefer` gets the result if it exists.
  if (isAsync && (body.async === true || !idempotent.repeated)) {
    return respondAccepted(options, { generation, reply })
  }
  const asFile = (mediaType: string) => !isAsync && wantsFile(headers.accept, mediaType)
  return await respondWithResult(options, { generation, pending, mode, returns, asFile, request, reply, disconnected })
}

/** The slot of a request for a document. */
export function takeSlot(
  { limiter }: { limiter: RequestLimiter },
  request: FastifyRequest,
  kind: Pick<LimitedRequest, 'isAsync' | 'disconnected'>,
): Promise<Disposable> {
  const { id: apiKeyId, ownerId } = apiKeyOf(request)
  return limiter.take({ ownerId, apiKeyId, ...kind })
}
