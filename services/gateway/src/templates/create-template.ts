import { randomUUID } from 'node:crypto'
import type { CreateTemplateBody } from '@platen/shared/contracts/template.ts'
import { DependencyUnavailable } from '@platen/shared/runtime/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { entityTag } from '../http/headers/entity-tags.ts'
import type { Addresses } from '../http/urls.ts'
import { type Attempt, beginAttempt } from '../idempotency/attempts.ts'
import type { IdempotencyEntries, SentAnswer } from '../idempotency/idempotency-entries.ts'
import { replayedHeader } from '../idempotency/idempotency-headers.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import type { TemplateCommands } from './template-commands.ts'
import { checkTemplateSize } from './template-limits.ts'

export interface CreateTemplateOptions {
  commands: TemplateCommands
  idempotency: IdempotencyEntries
  addresses: Addresses
}

type CreateRequest = FastifyRequest<{ Body: CreateTemplateBody }>

export function createTemplate({ commands, idempotency, addresses }: CreateTemplateOptions) {
  const create = async (request: CreateRequest, { id, commandId, repeated }: Attempt): Promise<SentAnswer> => {
    const { name, html, sample_data = {} } = request.body
    const command = { type: 'CreateTemplate' as const, data: { template_id: id, name, html, sample_data } }
    // A repeat must reach the handler again to have its answer: JetStream drops a message whose id it knows.
    const messageId = repeated ? randomUUID() : undefined
    const template = await commands.carryOut(command, commandMetadata(request, commandId), messageId)
    if (!template) throw new DependencyUnavailable(`no template ${id} in sight after its creation`)
    const headers = { location: addresses.templateUrl(template.id), etag: entityTag(template.version) }
    return { status: 201, headers, body: template }
  }
  return async (request: CreateRequest, reply: FastifyReply) => {
    checkTemplateSize(request.body)
    const attempt = await beginAttempt(idempotency, request, 'tpl')
    if (attempt.repeated) reply.header(replayedHeader, 'true')
    const answer = attempt.earlier ?? (await remembering(attempt, () => create(request, attempt)))
    return reply.code(answer.status).headers(answer.headers).send(answer.body)
  }
}

/** A part that is away may still carry the command out: the key stays, so that a repeat finds what came of it. */
async function remembering(attempt: Attempt, work: () => Promise<SentAnswer>): Promise<SentAnswer> {
  try {
    const answer = await work()
    await attempt.remember(answer)
    return answer
  } catch (err) {
    if (!(err instanceof DependencyUnavailable)) await attempt.forget()
    throw err
  }
}
