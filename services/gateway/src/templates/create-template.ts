import { randomUUID } from 'node:crypto'
import type { CreateTemplateBody } from '@platen/domain/template/template.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { stringifyFields } from '@platen/foundation/json/json-fields.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownerOf } from '../api-keys/owner-of.ts'
import { entityTag } from '../http/headers/entity-tags.ts'
import { jsonsOf } from '../http/plugins/json-parser.ts'
import type { Urls } from '../http/urls.ts'
import { type CreateOnceOptions, createOnce, type SentResponse } from '../idempotency/create-once.ts'
import type { IdempotentRequest } from '../idempotency/idempotent-request.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import { checkTemplate } from './check-template.ts'
import type { TemplateCommands } from './template-commands.ts'

export interface CreateTemplateOptions extends CreateOnceOptions {
  commands: TemplateCommands
  urls: Urls
}

type CreateRequest = FastifyRequest<{ Body: CreateTemplateBody }>

/** The handler of POST /v1/templates. */
export function createTemplate(options: CreateTemplateOptions) {
  return async (request: CreateRequest, reply: FastifyReply) => {
    checkTemplate(request.body, jsonsOf(request))
    return createOnce(options, { request, reply, prefix: 'tpl' }, (idempotent) => create(options, request, idempotent))
  }
}

async function create(
  { commands, urls }: CreateTemplateOptions,
  request: CreateRequest,
  { id, commandId, commandTime, repeated }: IdempotentRequest,
): Promise<SentResponse> {
  const { sample_data = {}, ...content } = request.body
  const command = {
    type: 'CreateTemplate' as const,
    data: { template_id: id, owner_id: ownerOf(request).id, ...content, sample_data },
  }
  // JetStream drops a message whose id it knows, but a repeated command must reach the handler to get its reply.
  const messageId = repeated ? randomUUID() : undefined
  const metadata = commandMetadata(request, commandId, commandTime)
  const dataJson = stringifyFields(command.data, jsonsOf(request))
  const template = await commands.execute(command, metadata, { messageId, dataJson })
  if (!template) throw new DependencyUnavailable(`template ${id} not found after its creation`)
  const headers = { location: urls.template(template.id), etag: entityTag(template.version) }
  return { status: 201, headers, body: template }
}
