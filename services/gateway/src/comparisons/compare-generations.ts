import { Readable } from 'node:stream'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { GenerationComparison } from '@platen/domain/generation/generation-comparison.ts'
import type { ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import { comparisonLimits } from '@platen/domain/generation/page-comparison.ts'
import type { RenderPreview } from '@platen/domain/generation/preview.ts'
import { comparedFiles } from '@platen/domain/generation/render-features.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { encodePreview } from '@platen/service-kit/inputs/input-codec.ts'
import { Type } from 'typebox'
import { apiKeyOf, needsScope } from '../api-keys/authentication.ts'
import { ownerOf, ownerQuery } from '../api-keys/owner-of.ts'
import { isPastRetention } from '../files/send-file.ts'
import { type Caller, callerOf, type GenerationFinder, generationNotFound } from '../generations/find-generation.ts'
import { clientDisconnected } from '../http/errors/disconnects.ts'
import { errorResponses, idParams } from '../http/openapi/route-schemas.ts'
import { resource } from '../http/resource.ts'
import { requestPreview } from '../previews/preview-client.ts'
import { beginComparison, type ComparisonLimits } from './begin-comparison.ts'

export interface CompareGenerationsOptions extends ComparisonLimits {
  config: { syncTimeoutMs: number }
  bus: Bus
  finder: GenerationFinder
  objects: Pick<ObjectStore, 'info'>
  retention: ObjectRetention
}

/** The route that compares the PDFs of two generations, such as that of a retry with the earlier one. */
export const compareGenerations = resource<CompareGenerationsOptions>(
  'generation comparisons',
  async (app, options) => {
    app.get('/generations/:id/compare', {
      onRequest: needsScope('generations:read'),
      schema: {
        tags: ['Generations'],
        operationId: 'compareGenerations',
        summary: 'Compare the pages of two generations',
        description: [
          'Their PDFs are compared by pixels, such as that of a retry with that of the generation before. Pages are paired by what they contain, so an inserted page is one `added` page.',
          `Nothing is printed and nothing recorded. Each may have at most ${comparisonLimits.pages} pages.`,
        ].join('\n\n'),
        params: idParams('pdf'),
        querystring: Type.Object(
          {
            to: Type.String({ minLength: 1, maxLength: 64, description: 'the generation to compare it with' }),
            images: Type.Optional(
              Type.Boolean({ description: 'with a PNG of both sides of each page that is not the same' }),
            ),
            ...ownerQuery,
          },
          { additionalProperties: false },
        ),
        response: {
          200: GenerationComparison,
          ...errorResponses(
            'GENERATION_NOT_FOUND',
            'CONFLICT',
            'GENERATION_ERASED',
            'FILE_DELETED',
            'RENDER_LIMIT_EXCEEDED',
            'PDF_TOOL_ERROR',
            'PDF_TOO_COMPLEX',
            'QUEUE_FULL',
            'RENDER_TIMEOUT',
            'STORAGE_UNAVAILABLE',
          ),
        },
      },
      async handler(request, reply) {
        const { to, images = false } = request.query
        const caller = callerOf(request)
        const keyOf = (id: string) => pdfOf(options, id, caller)
        const files = { from: await keyOf(request.params.id), to: await keyOf(to), images, ignored: [] }
        const { id: apiKeyId } = apiKeyOf(request)
        const { syncTimeoutMs: timeoutMs } = options.config
        const signal = clientDisconnected(reply)
        using _comparison = await beginComparison(options, request, signal)
        const preview_id = newId('req')
        const payload = encodePreview({
          preview_id,
          owner_id: ownerOf(request).id,
          api_key_id: apiKeyId,
          format: 'pdf',
          page: 1,
          width: 1,
          until: new Date(options.bus.clock.now() + timeoutMs).toISOString(),
          input: { html: '', options: resolvePdfOptions() },
          compared_files: files,
          requires: [comparedFiles],
        } satisfies RenderPreview)
        const lateMessage = `The pages were not compared within ${timeoutMs / 1_000} s`
        const { parts } = await requestPreview(
          options.bus,
          { id: preview_id, payload },
          { timeoutMs, lateMessage, signal },
        )
        const begin = JSON.stringify({ from: request.params.id, to }).slice(0, -1)
        const body = Readable.from([Buffer.from(`${begin},"pages":`), ...parts, Buffer.from('}')])
        return reply.type('application/json; charset=utf-8').send(body as never)
      },
    })
  },
)

/** The key of the PDF. Throws why it cannot be compared. */
async function pdfOf(
  { bus, finder, objects, retention }: CompareGenerationsOptions,
  id: string,
  caller: Caller,
): Promise<string> {
  const found = await finder.find(id, caller)
  if (!found) throw generationNotFound(id)
  const { state } = found
  if ('erased' in state && state.erased) {
    return fail('GENERATION_ERASED', `The content of ${id} was erased`, { erased_at: state.erased.erased_at })
  }
  if (state.status !== 'completed') return fail('CONFLICT', `${id} is ${state.status} and has no PDF`)
  const { object_key: key, pages, media_type = 'application/pdf' } = state.result
  if (media_type !== 'application/pdf') return fail('CONFLICT', `The file of ${id} is no PDF: ${media_type}`)
  const { pages: limit } = comparisonLimits
  if (pages > limit) {
    return fail('RENDER_LIMIT_EXCEEDED', `${id} has ${pages} pages, at most ${limit} are compared`, { limit })
  }
  const info = await objects.info(key)
  if (info === undefined || isPastRetention({ retention, clock: bus.clock }, info))
    return fail('FILE_DELETED', `The PDF of ${id} is not stored any more`)
  return key
}
