import type { FileWebhook } from '@platen/domain/generation/file-webhook.ts'
import type { GenerationRequest, WaitingClient } from '@platen/domain/generation/generation.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { BusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { type PreparedRender, prepareRender } from '@platen/service-kit/commands/render-command.ts'
import type { IdempotentRequest } from '../idempotency/idempotent-request.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import { checkWebhookUrl, type WebhookUrlPolicy } from '../webhooks/webhook-url.ts'
import { type GenerateRequest, mayReturn } from './cancel-generation.ts'
import type { Congestion } from './congestion.ts'
import { callerOf, type GenerationFinder } from './find-generation.ts'
import { discardInput, type KeepOptions, type KeepTerms, keepInput, type RetainPolicy } from './keep-input.ts'
import { newGeneration } from './new-generation.ts'
import type { QueueDepth } from './queue-depth.ts'
import type { QueuedByKey } from './queued-by-key.ts'
import type { ResolvedInput } from './resolve-input.ts'
import type { ResponseMode } from './response-mode.ts'

export interface SubmitOptions extends KeepOptions {
  config: WebhookUrlPolicy & RetainPolicy & { maxQueued: number }
  congestion: Congestion
  bus: Bus
  objects: ObjectStore
  finder: GenerationFinder
  queueDepth: QueueDepth
  queuedByKey: QueuedByKey
}

export interface Submission {
  request: GenerateRequest
  /** What is made. Throws what the request is refused with. */
  resolve: () => Promise<ResolvedInput & { keep?: KeepTerms }>
  /** Of `/v1/pdf`. */
  operation?: string | undefined
  fileWebhook?: FileWebhook | undefined
  mode: ResponseMode
  idempotent: IdempotentRequest
  replyTo: string
  /** Aborts when the client has disconnected. */
  disconnected: AbortSignal
}

/** Queues the generation, unless an earlier request with the same Idempotency-Key has done so. */
export async function submitGeneration(options: SubmitOptions, submission: Submission): Promise<GenerationRequest> {
  const { idempotent, request, mode, replyTo, disconnected } = submission
  if (idempotent.repeated) {
    const known = await options.finder.find(idempotent.id, callerOf(request))
    if (known) return known.request
  }
  const { isAsync } = mode
  try {
    const { generation, command } = await prepareOrRelease(options, submission)
    try {
      if (!isAsync && disconnected.aborted) fail('INVALID_REQUEST', 'The client has disconnected')
      await sendCommand(options.bus, { ...command, ...(!isAsync && { replyTo }) })
    } catch (err) {
      // After an outage the command may be queued.
      if (!(err instanceof BusUnavailable)) await discardInput(options, request, generation)
      throw err
    }
    if (isAsync) options.queueDepth.added()
    return generation
  } catch (err) {
    options.queuedByKey.ended(idempotent.id)
    throw err
  }
}

interface Prepared {
  generation: GenerationRequest
  command: PreparedRender
}

/** Prepares the command. If that fails, nothing was sent, so the Idempotency-Key is released for another request. */
async function prepareOrRelease(options: SubmitOptions, submission: Submission): Promise<Prepared> {
  try {
    return await prepare(options, submission)
  } catch (err) {
    await submission.idempotent.releaseKey()
    throw err
  }
}

async function prepare(
  options: SubmitOptions,
  { request, resolve, operation, fileWebhook, mode, idempotent }: Submission,
): Promise<Prepared> {
  const { config, queueDepth, queuedByKey, congestion, objects } = options
  const { body } = request
  const { webhook_url } = body
  const { isAsync } = mode
  const caller = callerOf(request)
  const { ownerId, apiKeyId } = caller
  const claim = { owner: ownerId, key: apiKeyId }
  if (!isAsync) congestion.check(apiKeyId)
  const { input, template, keep } = await resolve()
  if (webhook_url !== undefined) await checkWebhookUrl(webhook_url, config)
  if (isAsync) queuedByKey.check(claim, await queueDepth.batch(config.maxQueued), config.maxQueued)
  const asked = newGeneration(idempotent.id, caller, { ...body, template, operation, file_webhook: fileWebhook })
  const queue = isAsync ? queuedByKey.queueFor(apiKeyId) : 'interactive'
  // Counted before it is sent, so that concurrent requests count each other, and because a generation may end at once.
  if (isAsync) queuedByKey.added(claim, idempotent.id)
  const cause = commandMetadata(request, idempotent.commandId)
  const waiting = isAsync ? undefined : waitingClient(request, mode)
  const kept_input = keep && (await keepInput(options, { request: asked, input, ...keep }))
  const generation = { ...asked, ...(kept_input && { kept_input }) }
  return {
    generation,
    command: await prepareRender(objects, { queue, request: generation, input, waiting }, cause),
  }
}

/** The renderer answers a little earlier than the gateway stops waiting. */
const answerMs = 250

function waitingClient(request: GenerateRequest, { timeoutMs, outlivesWait }: ResponseMode): WaitingClient {
  const until = new Date(Date.now() + timeoutMs - Math.min(answerMs, timeoutMs / 10)).toISOString()
  return { until, returns: outlivesWait || mayReturn(request) }
}
