import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { GenerationStatus } from '@platen/shared/contracts/generation.ts'
import { fail } from '@platen/shared/runtime/errors.ts'
import { Type } from 'typebox'
import { apiKeyOf, needsScope } from '../api-keys/authentication.ts'
import { clientGone } from '../http/client-gone.ts'
import { errorResponses, GenerationRef, pageOf } from '../http/openapi/references.ts'
import { idBefore } from '../http/page.ts'
import { defaultLimit, pageBody, pageQuery } from '../http/page-query.ts'
import type { Addresses } from '../http/urls.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import type { Views } from '../run-views.ts'
import type { CancelCommands } from './cancel-command.ts'
import { type FindGeneration, noGeneration } from './find-generation.ts'
import { generationBody } from './generation-body.ts'
import { type GenerationRecord, isFinal } from './generation-record.ts'
import { listGenerations } from './list-generations.ts'
import type { QueuedGenerations } from './queued-generations.ts'

export interface GenerationRoutesOptions {
  views: Pick<Views, 'generations' | 'templates' | 'changes'>
  finder: FindGeneration
  queue: QueuedGenerations
  cancel: CancelCommands
  addresses: Addresses
  /** Long polls are answered at once when it aborts. */
  stopping: AbortSignal
}

const tags = ['Generations']
const maxWaitS = 60
const Params = Type.Object({ id: Type.String({ description: '`pdf_…`' }) })

export const generationRoutes: FastifyPluginAsyncTypebox<GenerationRoutesOptions> = async (app, options) => {
  const { views, finder, queue, cancel, addresses, stopping } = options
  const body = (record: GenerationRecord) => generationBody(record, addresses)

  app.get('/generations', {
    onRequest: needsScope('generations:read'),
    schema: {
      tags,
      operationId: 'listGenerations',
      summary: "List the key's generations, newest first",
      querystring: Type.Object(
        {
          ...pageQuery,
          status: Type.Optional(GenerationStatus),
          template: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Id or slug.' })),
        },
        { additionalProperties: false },
      ),
      response: { 200: pageOf(GenerationRef, 'A page of generations.'), ...errorResponses('VALIDATION_ERROR') },
    },
    async handler(request) {
      const { limit = defaultLimit, cursor, status, template } = request.query
      const page = await listGenerations(
        { view: views.generations, queue },
        {
          apiKeyId: apiKeyOf(request).id,
          status,
          // An id stays good after its template is deleted.
          templateId: template && (views.templates.find(template)?.id ?? template),
          before: idBefore(cursor, 'pdf'),
          limit,
        },
      )
      return pageBody(page, (record) => record.request.generation_id, body)
    },
  })

  app.get('/generations/:id', {
    onRequest: needsScope('generations:read'),
    schema: {
      tags,
      operationId: 'getGeneration',
      summary: 'Read a generation',
      description: `\`wait\` holds the answer until the generation is final or so many seconds have passed. A failed generation is a 200 with \`status: failed\` and \`error\`.`,
      params: Params,
      querystring: Type.Object(
        { wait: Type.Optional(Type.Integer({ minimum: 0, maximum: maxWaitS, description: 'Seconds.' })) },
        { additionalProperties: false },
      ),
      response: { 200: GenerationRef, ...errorResponses('VALIDATION_ERROR', 'GENERATION_NOT_FOUND') },
    },
    async handler(request, reply) {
      const { id } = request.params
      const apiKeyId = apiKeyOf(request).id
      const { wait = 0 } = request.query
      const found = (await finder.find(id, apiKeyId)) ?? missing(id)
      if (wait === 0 || isFinal(found)) return body(found)
      const look = () => {
        const record = views.generations.find(id)
        return record && isFinal(record) ? record : undefined
      }
      const signal = AbortSignal.any([clientGone(reply), stopping])
      const final = await views.changes.until(id, look, { timeoutMs: wait * 1_000, signal })
      return body(final ?? (await finder.find(id, apiKeyId)) ?? missing(id))
    },
  })

  app.delete('/generations/:id', {
    onRequest: needsScope('generate'),
    schema: {
      tags,
      operationId: 'cancelGeneration',
      summary: 'Cancel a generation that is queued or rendering',
      params: Params,
      response: { 200: GenerationRef, ...errorResponses('GENERATION_NOT_FOUND', 'CONFLICT') },
    },
    async handler(request) {
      const { id } = request.params
      const found = (await finder.find(id, apiKeyOf(request).id)) ?? missing(id)
      if (found.state.status === 'cancelled') return body(found)
      if (isFinal(found)) fail('CONFLICT', `The generation is already ${found.state.status}`)
      return body(await cancel.carryOut(found.request, commandMetadata(request)))
    },
  })
}

function missing(id: string): never {
  throw noGeneration(id)
}
