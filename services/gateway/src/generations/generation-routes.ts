import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { listedOwner, OwnerQuery, ownerQuery } from '../api-keys/owner-of.ts'
import { clientDisconnected } from '../http/errors/disconnects.ts'
import { pollAgain } from '../http/errors/error-response.ts'
import { parsePrefer } from '../http/headers/preferences.ts'
import { addVary } from '../http/headers/response-headers.ts'
import { withHeaders } from '../http/openapi/response-headers.ts'
import { errorResponses, GenerationRef, idParams, pageOf } from '../http/openapi/route-schemas.ts'
import { defaultLimit, pageBody } from '../http/pagination.ts'
import type { Urls } from '../http/urls.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import type { CommandClient } from '../messaging/command-client.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import type { CurrentTemplates } from '../templates/current-templates.ts'
import type { ApiKeyView } from '../views/api-key-view.ts'
import { type GenerationRecord, isFinal } from '../views/generation-record.ts'
import type { GenerationView } from '../views/generation-view.ts'
import type { TemplateView } from '../views/template-view.ts'
import type { ViewUpdates } from '../views/view-updates.ts'
import { alreadyEnded, cancelGeneration } from './cancel-generation.ts'
import { callerOf, type GenerationFinder, generationNotFound } from './find-generation.ts'
import { generationBody } from './generation-body.ts'
import { filterOf, GenerationQuery } from './generation-query.ts'
import { listGenerations } from './list-generations.ts'
import type { QueuedGenerations } from './queued-generations.ts'

export interface GenerationRoutesOptions {
  generations: GenerationView
  templates: CurrentTemplates
  templateView: Pick<TemplateView, 'record'>
  apiKeys: Pick<ApiKeyView, 'ownerOf'>
  /** Resolves when the view shows every change that was acknowledged before the call. */
  untilCaughtUp: () => Promise<void>
  updates: ViewUpdates
  finder: GenerationFinder
  queue: QueuedGenerations
  client: CommandClient
  retention: ObjectRetention
  urls: Urls
  /** When it aborts, long polls are answered at once. */
  stopping: AbortSignal
}

const tags = ['Generations']
const maxWaitS = 60
const Params = idParams('pdf')

export const generationRoutes: FastifyPluginAsyncTypebox<GenerationRoutesOptions> = async (app, options) => {
  const { generations, templates, templateView, apiKeys, untilCaughtUp, updates } = options
  const { finder, queue, client, urls, stopping } = options
  const body = (record: GenerationRecord) => generationBody(record, urls, options.retention.inputDays)
  /** All generations of a template, and of an API key, are of its owner. */
  const ownerOfFilter = async (template: string | undefined, apiKeyId: string | undefined) => {
    if (template === undefined && apiKeyId === undefined) return undefined
    await untilCaughtUp()
    const state = template === undefined ? undefined : templateView.record(template)?.state
    if (state && state.status !== 'absent') return state.ownerId
    return apiKeyId === undefined ? undefined : apiKeys.ownerOf(apiKeyId)
  }
  /** A deleted template is not found, but its id still filters. */
  const templateIdOf = async (idOrSlug: string | undefined, ownerId: string | undefined) => {
    if (idOrSlug === undefined || ownerId === undefined) return idOrSlug
    return (await templates.find(idOrSlug, ownerId))?.id ?? idOrSlug
  }

  app.get('/generations', {
    onRequest: needsScope('generations:read'),
    config: { allOwners: true },
    schema: {
      tags,
      operationId: 'listGenerations',
      summary: 'List the generations of the owner',
      description: [
        '`metadata[order]=2026-0042` lists those with this metadata; `metadata.order=2026-0042` is the same. Several filters must all match.',
        'A request looks at a limited number of generations. A page may have fewer items than `limit`, or none, and still a `next_cursor`: it goes on there.',
      ].join('\n\n'),
      querystring: GenerationQuery,
      response: {
        200: pageOf('GenerationPage', GenerationRef, 'A page of generations.'),
        ...errorResponses('VALIDATION_ERROR'),
      },
    },
    async handler(request) {
      const { limit = defaultLimit, template } = request.query
      const filter = filterOf(request.query)
      const listed = listedOwner(request)
      const ownerId = listed ?? (await ownerOfFilter(template, filter.apiKeyId))
      const page = await listGenerations(
        { view: generations, untilCaughtUp, queue },
        { ...filter, ownerId, templateId: await templateIdOf(template, ownerId), limit },
      )
      const shown = (record: GenerationRecord) =>
        listed === undefined ? { ...body(record), owner_id: String(record.request.owner_id) } : body(record)
      return pageBody(page, (record) => record.request.generation_id, shown)
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

function missing(id: string): never {
  throw generationNotFound(id)
}
