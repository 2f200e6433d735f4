import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { GenerationTimeline } from '@platen/domain/generation/timeline.ts'
import { needsScope } from '../api-keys/authentication.ts'
import { isAboutAllOwners, OwnerQuery } from '../api-keys/owner-of.ts'
import { errorResponses, idParams } from '../http/openapi/route-schemas.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import { callerOf, type GenerationFinder, generationNotFound } from './find-generation.ts'
import { readTimeline, type TimelineSources } from './read-timeline.ts'

export interface TimelineRouteOptions extends TimelineSources {
  finder: GenerationFinder
}

export const timelineRoute: FastifyPluginAsyncTypebox<TimelineRouteOptions> = async (app, { finder, ...sources }) => {
  app.get('/generations/:id/timeline', {
    onRequest: needsScope('generations:read'),
    schema: {
      tags: ['Generations'],
      operationId: 'getGenerationTimeline',
      summary: 'Get what happened to a generation, with times',
      description:
        'From the request through queue, attempts and phases to each attempt of its webhook. A key with the scope `admin` gets that of any owner.',
      params: idParams('pdf'),
      querystring: OwnerQuery,
      response: { 200: GenerationTimeline, ...errorResponses('GENERATION_NOT_FOUND') },
    },
    async handler(request) {
      const { id } = request.params
      const found = isAboutAllOwners(request) ? await finder.findOfAny(id) : await finder.find(id, callerOf(request))
      if (!found) throw generationNotFound(id)
      releaseSlot(request)
      return readTimeline(sources, found)
    },
  })
}
