import type { GenerationCompleted, GenerationOutcome, GenerationRequest } from '@platen/shared/contracts/generation.ts'
import type { Bus } from '@platen/shared/messaging/bus.ts'
import type { Inbox, PendingReply } from '@platen/shared/messaging/reply.ts'
import type { ObjectStore } from '@platen/shared/object-store/object-store.ts'
import { DomainError, fail } from '@platen/shared/runtime/errors.ts'
import type { FastifyReply } from 'fastify'
import { clientGone } from '../http/client-gone.ts'
import type { Addresses } from '../http/urls.ts'
import type { Attempt } from '../idempotency/attempts.ts'
import type { IdempotencyEntries, SentAnswer } from '../idempotency/idempotency-entries.ts'
import type { Views } from '../run-views.ts'
import type { TemplateView } from '../templates/template-view.ts'
import { awaitOutcome, recordOf } from './await-outcome.ts'
import type { FindGeneration } from './find-generation.ts'
import { generationBody } from './generation-body.ts'
import type { QueueDepth } from './queue-depth.ts'

export interface GenerateOptions {
  bus: Bus
  objects: ObjectStore
  inbox: Inbox
  views: Pick<Views, 'generations' | 'changes'>
  templates: TemplateView
  finder: FindGeneration
  idempotency: IdempotencyEntries
  depth: QueueDepth
  addresses: Addresses
  syncTimeoutMs: number
  maxQueued: number
  webhookAllowPrivate: boolean
}

interface Accepted {
  generation: GenerationRequest
  attempt: Attempt
  reply: FastifyReply
}

export async function answerAccepted({ addresses }: GenerateOptions, { generation, attempt, reply }: Accepted) {
  const body = generationBody({ request: generation, state: { status: 'queued' } }, addresses)
  const answer = { status: 202, headers: { location: addresses.pollUrl(generation.generation_id) }, body }
  await attempt.remember(answer)
  return sendAnswer(reply, answer)
}

interface Awaited extends Accepted {
  pending: PendingReply<GenerationOutcome>
  asPdf: boolean
}

export async function answerWhenDone(
  options: GenerateOptions,
  { generation, attempt, pending, asPdf, reply }: Awaited,
) {
  const { views, addresses, syncTimeoutMs } = options
  const id = generation.generation_id
  const signal = clientGone(reply)
  const outcome = await awaitOutcome({ id, pending, views, deadlineMs: syncTimeoutMs, signal })
  if (!outcome)
    return fail('RENDER_TIMEOUT', lateMessage(syncTimeoutMs), { generation_id: id, poll_url: addresses.pollUrl(id) })
  const completed = resultOf(outcome)
  if (asPdf) return sendPdf(options.objects, { id, completed, reply })
  const answer = { status: 200, headers: {}, body: generationBody(recordOf(generation, outcome), addresses) }
  await attempt.remember(answer)
  return sendAnswer(reply, answer)
}

export function sendAnswer(reply: FastifyReply, { status, headers, body }: SentAnswer) {
  return reply.code(status).headers(headers).send(body)
}

/** Throws what a synchronous client is to learn of a generation that gave no PDF. */
function resultOf(outcome: GenerationOutcome): GenerationCompleted['data'] {
  switch (outcome.type) {
    case 'GenerationCompleted':
      return outcome.data
    case 'GenerationFailed':
      throw DomainError.from(outcome.data)
    case 'GenerationCancelled':
      return fail('CONFLICT', 'The generation was cancelled')
  }
}

interface Pdf {
  id: string
  completed: GenerationCompleted['data']
  reply: FastifyReply
}

async function sendPdf(objects: ObjectStore, { id, completed, reply }: Pdf) {
  const { object_key, size, pages, sha256, warnings = [] } = completed
  const bytes = await objects.get(object_key)
  return reply
    .headers({
      'content-type': 'application/pdf',
      'content-length': size,
      'content-disposition': `inline; filename="${id}.pdf"`,
      etag: `"${sha256}"`,
      'x-generation-id': id,
      'x-generation-pages': pages,
      'x-generation-warnings': warnings.length,
    })
    .send(bytes)
}

function lateMessage(timeoutMs: number): string {
  return `The generation is not done after ${timeoutMs / 1_000} s; it goes on and can be polled`
}
