import type { GenerateBody, GenerationRequest } from '@platen/shared/contracts/generation.ts'
import type { ResolvedPdfOptions } from '@platen/shared/contracts/pdf-options.ts'
import { sendCommand } from '@platen/shared/messaging/send-command.ts'
import { fail } from '@platen/shared/runtime/errors.ts'
import type { FastifyRequest } from 'fastify'
import { apiKeyOf } from '../api-keys/authentication.ts'
import type { Attempt } from '../idempotency/attempts.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import { checkWebhookUrl } from '../webhooks/webhook-url.ts'
import type { GenerateOptions } from './generate-answers.ts'
import { type PreparedRender, prepareRender } from './render-command.ts'
import { resolveInput } from './resolve-input.ts'

export interface Submission {
  request: FastifyRequest<{ Body: GenerateBody }>
  pdfOptions: ResolvedPdfOptions
  attempt: Attempt
  replyTo: string
}

/** The generation is in the queue when it resolves, or was accepted by an earlier attempt. */
export async function submitGeneration(options: GenerateOptions, submission: Submission): Promise<GenerationRequest> {
  const { attempt, request, replyTo } = submission
  if (attempt.repeated) {
    const known = await options.finder.find(attempt.id, apiKeyOf(request).id)
    if (known) return known.request
  }
  const { order, render } = await preparing(attempt, () => prepare(options, submission))
  const isAsync = request.body.async === true
  await sendCommand(options.bus, { ...render, ...(isAsync ? {} : { replyTo }) })
  if (isAsync) options.depth.added()
  return order
}

/** Nothing is sent before this is done: when it fails, the Idempotency-Key is free again. */
async function preparing<Prepared>(attempt: Attempt, work: () => Promise<Prepared>): Promise<Prepared> {
  try {
    return await work()
  } catch (err) {
    await attempt.forget()
    throw err
  }
}

async function prepare(
  { templates, depth, objects, maxQueued, webhookAllowPrivate }: GenerateOptions,
  { request, pdfOptions, attempt }: Submission,
): Promise<{ order: GenerationRequest; render: PreparedRender }> {
  const { body } = request
  const { webhook_url } = body
  const input = resolveInput(body, pdfOptions, templates)
  if (webhook_url !== undefined) await checkWebhookUrl(webhook_url, { allowPrivate: webhookAllowPrivate })
  if (body.async === true && (await depth.batch()) >= maxQueued) {
    fail('QUEUE_FULL', `${maxQueued} generations are waiting; try again later`)
  }
  const order: GenerationRequest = {
    generation_id: attempt.id,
    api_key_id: apiKeyOf(request).id,
    ...(input.template !== undefined && { template: input.template }),
    ...(webhook_url !== undefined && { webhook_url }),
  }
  const priority = body.async === true ? 'batch' : 'interactive'
  const metadata = commandMetadata(request, attempt.commandId)
  return { order, render: await prepareRender(objects, { priority, request: order, input }, metadata) }
}
