import { randomUUID } from 'node:crypto'
import type { FileWebhook } from '@platen/domain/generation/file-webhook.ts'
import type { GenerationRequest, RenderInput } from '@platen/domain/generation/generation.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { gotenbergFailure, type Quoted } from '@platen/domain/generation/gotenberg-answer.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { contentDisposition } from '@platen/foundation/net/content-disposition.ts'
import type { PendingReply } from '@platen/messaging/requests/reply.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AnswerOptions, takeSlot } from '../../generations/answer-generation.ts'
import { abandonGeneration } from '../../generations/cancel-generation.ts'
import { callerOf } from '../../generations/find-generation.ts'
import type { Client } from '../../generations/generation-queue.ts'
import { waitForOutcome } from '../../generations/wait-for-outcome.ts'
import { clientDisconnected, logBrokenDownload } from '../../http/errors/disconnects.ts'
import { beginIdempotentRequest } from '../../idempotency/idempotent-request.ts'
import { commandMetadata } from '../../messaging/command-metadata.ts'
import type { DeliveryView } from '../../views/delivery-view.ts'
import { checkWebhookUrl } from '../../webhooks/webhook-url.ts'
import { Refused, refuse } from '../answers/refused.ts'
import { releaseForm } from '../form/hold-forms.ts'
import { lastPart } from '../form/read-form.ts'
import { checkInput } from './check-input.ts'
import type { Job } from './job.ts'
import { readWebhook } from './read-webhook.ts'
import { untilSent } from './until-sent.ts'

export interface Running {
  answering: AnswerOptions
  traceHeader: string
  /** `sync`: an answer waits until the webhooks were sent. */
  webhooks: 'off' | 'async' | 'sync'
  deliveries: Pick<DeliveryView, 'list'>
}

/** A request with the fields of one of `POST /v1/generate`. */
interface Asked {
  request: FastifyRequest
  reply: FastifyReply
  /** The name of the file, without its extension. */
  name: string
  /** Absent when it was submitted: then it is not in memory while the request waits. */
  input?: RenderInput
}

/**
 * Makes the document as a generation of the API key, and answers with its file when it has ended. With a webhook it answers when the
 * job is stored.
 */
export async function runJob(running: Running, { input, ...job }: Job, given: FastifyRequest, reply: FastifyReply) {
  const { traceHeader, webhooks } = running
  checkInput(input)
  const name = outputName(given) ?? job.fileName?.slice(0, maxNameLength).toWellFormed() ?? randomUUID()
  const request = Object.assign(given, { body: { file_name: name } })
  const trace = String(reply.getHeader(traceHeader))
  const quoted = shortened(job.quoted)
  const webhook = readWebhook(given, { fileName: name, traceHeader, trace, quoted })
  if (webhook && webhooks === 'off') refuse(403, 'Forbidden')
  const asked = { request, reply, name, input }
  return webhook ? queueJob(running, asked, webhook) : awaitJob(running, { ...job, quoted }, asked)
}

/** Texts that are quoted are in the first event of a generation with a webhook. */
const maxQuotedLength = 1_000

function shortened(quoted: Quoted): Quoted {
  const texts: Record<string, string> = { ...quoted }
  const short = (text: string) => text.slice(0, maxQuotedLength).toWellFormed()
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, short(text)] as const))
}

async function queueJob(running: Running, asked: Asked, webhook: FileWebhook) {
  const { answering: options } = running
  const { reply } = asked
  for (const url of [webhook.url, webhook.error_url, webhook.events_url]) {
    if (url !== undefined) await checkWebhookUrl(url, options.config)
  }
  const disconnected = clientDisconnected(reply)
  const { generation_id } = await storeJob(options, asked, { webhook, disconnected })
  reply.header('x-generation-id', generation_id)
  if (running.webhooks === 'sync') await untilSent(running, { id: generation_id, webhook, disconnected })
  return reply.code(204).send()
}

/** The slot of the request ends when the job is stored: a slow receiver of webhooks delays no other requests of the key. */
async function storeJob(
  options: AnswerOptions,
  asked: Asked,
  { webhook, disconnected }: { webhook: FileWebhook; disconnected: AbortSignal },
) {
  using _slot = await takeSlot(options, asked.request, { isAsync: true, disconnected })
  const { generation } = await submitJob(options, asked, { file_webhook: webhook })
  return generation
}

/** Queues the generation. Then other forms may arrive. */
async function submitJob(
  { idempotency, generationQueue }: AnswerOptions,
  asked: Asked,
  { file_webhook, waiting }: { file_webhook?: FileWebhook; waiting?: Omit<Client, 'returns'> },
) {
  const { request, name } = asked
  const idempotent = await beginIdempotentRequest(idempotency, request, { prefix: 'pdf' })
  const cause = commandMetadata(request, idempotent.commandId)
  const returns = idempotent.hasKey
  const asking = { idempotent, caller: callerOf(request), cause, client: waiting && { ...waiting, returns } }
  const generation = await generationQueue.submitOnce(asking, async () => {
    const { input } = asked
    if (input === undefined) throw new Error('the input of a request is taken once')
    delete asked.input
    return { details: { file_name: name, file_webhook }, input }
  })
  releaseForm(request)
  return { generation, returns }
}

async function awaitJob({ answering: options }: Running, job: Omit<Job, 'input'>, asked: Asked) {
  const { request, reply, name } = asked
  const disconnected = clientDisconnected(reply)
  using _slot = await takeSlot(options, request, { isAsync: false, disconnected })
  using pending = options.inbox.expect<GenerationOutcome>()
  const timeoutMs = options.config.syncTimeoutMs
  const waiting = { timeoutMs, replyTo: pending.subject, disconnected }
  const { generation, returns } = await submitJob(options, asked, { waiting })
  reply.header('x-generation-id', generation.generation_id)
  const outcome = await outcomeOf(options, { generation, returns, pending, request, timeoutMs, disconnected })
  if (outcome.type === 'GenerationFailed') {
    options.congestion.observe(generation.api_key_id, outcome.data)
    const { status, message } = gotenbergFailure(outcome.data, job.quoted)
    throw new Refused(status, message)
  }
  if (outcome.type === 'GenerationCancelled') return fail('CONFLICT', 'The generation was cancelled')
  const { object_key: key, size, media_type = 'application/pdf' } = outcome.data
  const body = await options.objects.get(key)
  if (media_type === 'application/json') return reply.header('content-type', media_type).send(body)
  const extension = media_type === 'application/zip' ? 'zip' : job.extension
  return reply
    .headers({
      'content-type': media_type,
      'content-length': size,
      'content-disposition': contentDisposition(`${name}.${extension}`, 'attachment'),
    })
    .send(logBrokenDownload(body, reply, { key, size }))
}

interface Waiting {
  generation: GenerationRequest
  /** Whether the client may ask for the result after it has disconnected. */
  returns: boolean
  pending: PendingReply<GenerationOutcome>
  request: FastifyRequest
  timeoutMs: number
  disconnected: AbortSignal
}

async function outcomeOf(options: AnswerOptions, waiting: Waiting): Promise<GenerationOutcome> {
  const { generation, returns, pending, request, timeoutMs, disconnected: signal } = waiting
  const { bus, generations, updates } = options
  const id = generation.generation_id
  const outcome = await waitForOutcome({ id, pending, generations, updates, timeoutMs, signal })
  if (!outcome && signal.aborted && !returns) await abandonGeneration(bus, generation, request)
  return outcome ?? fail('WAIT_TIMEOUT', `The document was not made within ${timeoutMs / 1_000} s.`)
}

const maxNameLength = 200

/** The name that the client chooses for the file, without its extension. */
export function outputName({ headers }: FastifyRequest): string | undefined {
  const header = headers['gotenberg-output-filename']
  if (typeof header !== 'string') return undefined
  const name = lastPart(Buffer.from(header, 'latin1').toString()).trim().slice(0, maxNameLength).toWellFormed()
  return name === '' || name === '.' || name === '..' ? undefined : name
}
