import { randomUUID } from 'node:crypto'
import type { CreateTemplateBody } from '@platen/shared/contracts/template.ts'
import { DependencyUnavailable } from '@platen/shared/runtime/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownerOf } from '../api-keys/owner-of.ts'
import { entityTag } from '../http/headers/entity-tags.ts'
import type { Urls } from '../http/urls.ts'
import type { IdempotencyEntries, SentResponse } from '../idempotency/idempotency-entries.ts'
import { replayedHeader } from '../idempotency/idempotency-headers.ts'
import { beginIdempotentRequest, hasIdempotencyKey, type IdempotentRequest } from '../idempotency/idempotent-request.ts'
import type { UnansweredRequests } from '../idempotency/unanswered-requests.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import { checkTemplate } from './check-template.ts'
import type { TemplateCommands } from './template-commands.ts'

export interface CreateTemplateOptions {
  commands: TemplateCommands
  idempotency: IdempotencyEntries
  unanswered: UnansweredRequests
  urls: Urls
}

type CreateRequest = FastifyRequest<{ Body: CreateTemplateBody }>

/** The handler of POST /v1/templates. */
export function createTemplate(options: CreateTemplateOptions) {
  return async (request: CreateRequest, reply: FastifyReply) => {
    checkTemplate(request.body)
    const idempotent = hasIdempotencyKey(request)
      ? await beginIdempotentRequest(options.idempotency, request, 'tpl')
      : await options.unanswered.begin(request, reply, 'tpl')
    if (idempotent.repeated) reply.header(replayedHeader, 'true')
    const response = idempotent.earlierResponse ?? (await createOnce(options, request, idempotent))
    return reply.code(response.status).headers(response.headers).send(response.body)
  }
}

async function createOnce(
  options: CreateTemplateOptions,
  request: CreateRequest,
  idempotent: IdempotentRequest,
): Promise<SentResponse> {
  try {
    const response = await create(options, request, idempotent)
    await idempotent.saveResponse(response)
    return response
  } catch (err) {
    // After an outage the command may still be executed, so a repeated request must find the same ids.
    if (!(err instanceof DependencyUnavailable)) await idempotent.releaseKey()
    throw err
  }
}

async function create(
  { commands, urls }: CreateTemplateOptions,
  request: CreateRequest,
  { id, commandId, repeated }: IdempotentRequest,
): Promise<SentResponse> {
  const { sample_data = {}, ...content } = request.body
  const command = {
    type: 'CreateTemplate' as const,
    data: { template_id: id, owner_id: ownerOf(request).id, ...content, sample_data },
  }
  // JetStream drops a message whose id it knows, but a repeated command must reach the handler to get its reply.
  const messageId = repeated ? randomUUID() : undefined
  const template = await commands.execute(command, commandMetadata(request, commandId), messageId)
  if (!template) throw new DependencyUnavailable(`template ${id} not found after its creation`)
  const headers = { location: urls.template(template.id), etag: entityTag(template.version) }
  return { status: 201, headers, body: template }
}
