import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { GenerationStatus } from '@platen/domain/generation/generation.ts'
import type { Metadata } from '@platen/domain/generation/job-details.ts'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf, ownerQuery } from '../api-keys/owner-of.ts'
import { clientDisconnected } from '../http/errors/disconnects.ts'
import { pollAgain } from '../http/errors/error-response.ts'
import { invalidField } from '../http/errors/field-problems.ts'
import { parsePrefer } from '../http/headers/preferences.ts'
import { addVary } from '../http/headers/response-headers.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { errorResponses, GenerationRef, idParams, pageOf } from '../http/openapi/route-schemas.ts'
import { createdQuery, defaultLimit, idRange, pageBody, pageQuery } from '../http/pagination.ts'
import type { Urls } from '../http/urls.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import type { CommandClient } from '../messaging/command-client.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import type { CurrentTemplates } from '../templates/current-templates.ts'
import { type GenerationRecord, isFinal } from '../views/generation-record.ts'
import type { GenerationView } from '../views/generation-view.ts'
import type { ViewUpdates } from '../views/view-updates.ts'
import { alreadyEnded, cancelGeneration } from './cancel-generation.ts'
import { callerOf, type GenerationFinder, generationNotFound } from './find-generation.ts'
import { generationBody } from './generation-body.ts'
import { listGenerations } from './list-generations.ts'
import type { QueuedGenerations } from './queued-generations.ts'

export interface GenerationRoutesOptions {
  generations: GenerationView
  templates: CurrentTemplates
  /** Resolves when the view shows every change that was acknowledged before the call. */
  untilCaughtUp: () => Promise<void>
  updates: ViewUpdates
  finder: GenerationFinder
  queue: QueuedGenerations
  client: CommandClient
  urls: Urls
  /** When it aborts, long polls are answered at once. */
  stopping: AbortSignal
}

const tags = ['Generations']
const maxWaitS = 60
const Params = idParams('pdf')

export const generationRoutes: FastifyPluginAsyncTypebox<GenerationRoutesOptions> = async (app, options) => {
  const { generations, templates, untilCaughtUp, updates, finder, queue, client, urls, stopping } = options
  const body = (record: GenerationRecord) => generationBody(record, urls)

  app.get('/generations', {
    onRequest: needsScope('generations:read'),
    schema: {
      tags,
      operationId: 'listGenerations',
      summary: 'List the generations of the owner',
      description:
        '`metadata[order]=2026-0042` lists those with this metadata; `metadata.order=2026-0042` is the same. Several filters must all match.',
      querystring: Type.Object(
        {
          ...pageQuery,
          ...createdQuery,
          ...ownerQuery,
          status: Type.Optional(GenerationStatus),
          template: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Template id or slug.' })),
          metadata: Type.Optional(MetadataFilter),
        },
        { additionalProperties: false, patternProperties: metadataQuery },
      ),
      response: {
        200: pageOf('GenerationPage', GenerationRef, 'A page of generations.'),
        ...errorResponses('VALIDATION_ERROR'),
      },
    },
    async handler(request) {
      const { limit = defaultLimit, status, template } = request.query
      const { id: ownerId } = ownerOf(request)
      const page = await listGenerations(
        { view: generations, untilCaughtUp, queue },
        {
          ownerId,
          status,
          // A deleted template is not found, but its id still filters.
          templateId: template && ((await templates.find(template, ownerId))?.id ?? template),
          metadata: metadataIn(request.query),
          ...idRange(request.query, 'pdf'),
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
      summary: 'Get a generation',
      description:
        'With `wait`, the response is delayed until the generation has ended or the time is over. A failed generation is a 200 with `status: failed` and `error`.',
      params: Params,
      querystring: Type.Object(
        {
          ...ownerQuery,
          wait: Type.Optional(
            Type.Integer({ minimum: 0, maximum: maxWaitS, description: 'The longest wait in seconds.' }),
          ),
        },
        { additionalProperties: false },
      ),
      response: withHeaders(
        { 200: ['Location', 'Retry-After', 'Preference-Applied'] },
        { 200: GenerationRef, ...errorResponses('VALIDATION_ERROR', 'GENERATION_NOT_FOUND') },
      ),
    },
    async handler(request, reply) {
      const { id } = request.params
      const caller = callerOf(request)
      addVary(reply, 'Prefer')
      const { waitS: preferred } = parsePrefer(request.headers.prefer)
      const wait = request.query.wait ?? Math.min(preferred ?? 0, maxWaitS)
      if (preferred !== undefined) reply.header('preference-applied', `wait=${wait}`)
      const polled = (record: GenerationRecord) => {
        if (!isFinal(record)) reply.headers({ location: urls.poll(id), ...pollAgain })
        return body(record)
      }
      const found = (await finder.find(id, caller)) ?? missing(id)
      if (wait === 0 || isFinal(found)) return polled(found)
      const readView = () => {
        const record = generations.find(id)
        return record && isFinal(record) ? record : undefined
      }
      const signal = AbortSignal.any([clientDisconnected(reply), stopping])
      releaseSlot(request)
      const final = await updates.waitFor(id, readView, { timeoutMs: wait * 1_000, signal })
      return polled(final ?? (await finder.find(id, caller)) ?? missing(id))
    },
  })

  app.delete('/generations/:id', {
    onRequest: needsScope('generate'),
    schema: {
      tags,
      operationId: 'cancelGeneration',
      summary: 'Cancel a queued or rendering generation',
      params: Params,
      querystring: OwnerQuery,
      response: { 200: GenerationRef, ...errorResponses('GENERATION_NOT_FOUND', 'CONFLICT') },
    },
    async handler(request) {
      const { id } = request.params
      const found = (await finder.find(id, callerOf(request))) ?? missing(id)
      if (found.state.status === 'cancelled') return body(found)
      if (isFinal(found)) alreadyEnded(found)
      return body(await cancelGeneration(client, found.request, commandMetadata(request)))
    },
  })
}

/**
 * The filter `metadata[order]=2026-0042` in the OpenAPI document. It has a name of its own, so that a parameter
 * `metadata` is refused.
 */
const MetadataFilter = Type.Unsafe<Metadata>({
  type: 'object',
  style: 'deepObject',
  explode: true,
  propertyNames: { minLength: 1, maxLength: 64 },
  additionalProperties: { type: 'string', maxLength: 512 },
  description: 'Only generations with this metadata.',
  examples: [{ order: '2026-0042' }],
})

const metadataName = /^metadata(?:\.([\s\S]{1,64})|\[([\s\S]{1,64})\])$/
const metadataQuery = { [metadataName.source]: Type.String({ maxLength: 512 }) }

function metadataIn(query: Readonly<Record<string, unknown>>): Metadata {
  const filters = new Map<string, string>()
  for (const [name, value] of Object.entries(query)) {
    const [, dotted, key = dotted] = metadataName.exec(name) ?? []
    if (key === undefined) continue
    if (filters.has(key)) invalidField(name, 'must be given once')
    filters.set(key, String(value))
  }
  return Object.fromEntries(filters)
}

function missing(id: string): never {
  throw generationNotFound(id)
}
