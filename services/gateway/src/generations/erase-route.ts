import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { recordErasure } from '@platen/domain/generation/erase-content.ts'
import { Erasure } from '@platen/domain/generation/erasure.ts'
import { generationStream } from '@platen/domain/generation/generation-events.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { generationOfPdf } from '@platen/domain/streams/subjects.ts'
import type { EventStore, StoredEvent } from '@platen/event-store/event-store.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import type { CommandMetadata } from '@platen/foundation/command.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import {
  erasedContent,
  eraseGeneration,
  itemsOfEnded,
  nothingErased,
} from '@platen/service-kit/commands/erase-generation.ts'
import { dropLettersOf } from '@platen/service-kit/dead-letters/dead-letters.ts'
import { apiKeyOf, needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery } from '../api-keys/owner-of.ts'
import { errorResponses, idParams } from '../http/openapi/route-schemas.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import { commandMetadata } from '../messaging/command-metadata.ts'
import { type GenerationRecord, isFinal } from '../views/generation-record.ts'
import { shownInTime } from '../views/shown-in-time.ts'
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

interface EraseOptions {
  bus: Bus
  objects: ObjectStore
  store: EventStore
  reader: StreamReader
}

/**
 * Deletes the PDF and the stored input of a generation for good, and records that. A request that fails midway is repeated: it
 * deletes what is left. Throws CONFLICT while the generation or its batch has not ended, and DependencyUnavailable.
 */
async function eraseContent(
  { bus, objects, store, reader }: EraseOptions,
  { request, state }: GenerationRecord,
  { metadata, erasedBy, log }: { metadata: CommandMetadata; erasedBy: string; log: Pick<Logger, 'warn'> },
): Promise<Erasure> {
  const { generation_id: id, owner_id: owner = 'unknown' } = request
  if (!isFinal({ request, state })) {
    fail('CONFLICT', `The generation is ${state.status}; cancel it, or wait until it has ended`)
  }
  const events: StoredEvent[] = []
  for await (const event of reader.readStream(generationStream(id))) events.push(event)
  const generation = { id, owner, events }
  const batches = await itemsOfEnded(reader, [generation])
  const attempts: string[] = []
  for await (const { key } of objects.list('pdfs', new Set([id]))) if (generationOfPdf(key) === id) attempts.push(key)
  const erased = nothingErased(generation)
  const erasing = {
    bus,
    objects,
    batches,
    attempts: new Map([[id, attempts]]),
    isDry: false,
    eraseDeadLetters: () => dropLettersOf(bus, id),
    onUnreleased: (err: unknown) =>
      log.warn({ err, generation: id }, 'the input is erased, and counts as kept by its owner until its day'),
  }
  const { dead_letters } = await eraseGeneration(erasing, generation, erased)
  const content = erasedContent(erased)
  await recordErasure(store, id, { erased_by: erasedBy, erased_at: metadata.time, ...content }, metadata)
  const before = 'erased' in state ? state.erased : undefined
  const isRepeated = before !== undefined && content.objects + dead_letters === 0
  return { generation_id: id, erased_at: isRepeated ? before.erased_at : metadata.time, ...content }
}
