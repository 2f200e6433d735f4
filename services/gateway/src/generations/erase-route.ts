import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Erasure } from '@platen/domain/generation/erasure.ts'
import { apiKeyOf, needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery } from '../api-keys/owner-of.ts'
import { errorResponses, idParams } from '../http/openapi/route-schemas.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import { shownInTime } from '../views/shown-in-time.ts'
import { type EraseOptions, eraseContent } from './erase-content.ts'
import { callerOf, type GenerationFinder, generationNotFound } from './find-generation.ts'

export interface EraseRouteOptions extends EraseOptions {
  finder: GenerationFinder
  /** Resolves when the view shows every change that was acknowledged before the call. */
  untilCaughtUp: () => Promise<void>
}

export const eraseRoute: FastifyPluginAsyncTypebox<EraseRouteOptions> = async (app, options) => {
  const { finder, untilCaughtUp } = options

  app.delete('/generations/:id/content', {
    onRequest: needsScope('generate'),
    schema: {
      tags: ['Generations'],
      operationId: 'eraseGenerationContent',
      summary: 'Delete the PDF and the stored input of a generation for good',
      description:
        'The generation stays in lists, with `erased_at`; its file answers 410 `GENERATION_ERASED`. The event `ContentErased` is the receipt. A request that has failed may be repeated: it deletes what is left.',
      params: idParams('pdf'),
      querystring: OwnerQuery,
      response: { 200: Erasure, ...errorResponses('GENERATION_NOT_FOUND', 'CONFLICT', 'STORAGE_UNAVAILABLE') },
    },
    async handler(request) {
      const { id } = request.params
      const found = await finder.find(id, callerOf(request))
      if (!found) throw generationNotFound(id)
      releaseSlot(request)
      const erasure = await eraseContent(options, found, {
        metadata: commandMetadata(request),
        erasedBy: apiKeyOf(request).id,
        log: request.log,
      })
      await shownInTime(untilCaughtUp)
      return erasure
    },
  })
}
