import { Readable } from 'node:stream'
import { PreviewBody } from '@platen/domain/generation/preview.ts'
import { featuresOf } from '@platen/domain/generation/render-features.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { encodePreview } from '@platen/service-kit/inputs/input-codec.ts'
import type { SchemaChecker } from '@platen/templating/data-schema/schema-checker.ts'
import { Type } from 'typebox'
import { apiKeyOf, needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery, ownerOf } from '../api-keys/owner-of.ts'
import type { Congestion } from '../generations/congestion.ts'
import { clientDisconnected } from '../http/errors/disconnects.ts'
import { previewJson, wantsPreviewJson } from '../http/headers/preferences.ts'
import { addVary } from '../http/headers/response-headers.ts'
import { bodyErrors, errorResponses, printErrors } from '../http/openapi/route-schemas.ts'
import { jsonsOf } from '../http/plugins/json-parser.ts'
import { resource } from '../http/resource.ts'
import { releaseSlot } from '../limits/limit-work.ts'
import type { RequestLimiter } from '../limits/request-limiter.ts'
import type { NewestPins } from '../partials/newest-pins.ts'
import type { CurrentLabels } from '../templates/current-labels.ts'
import type { CurrentTemplates } from '../templates/current-templates.ts'
import type { VersionReader } from '../templates/version-reader.ts'
import { NewestPreviews } from './newest-previews.ts'
import { checkPreviewSize, requestPreview } from './preview-client.ts'
import { headersOf, jsonWithContent } from './preview-response.ts'
import { resolvePreview } from './resolve-preview.ts'

export interface PreviewRouteOptions {
  config: { syncTimeoutMs: number }
  bus: Bus
  templates: CurrentTemplates
  readVersion: VersionReader
  labels: CurrentLabels
  schemas: Pick<SchemaChecker, 'check'>
  newestPins: NewestPins
  congestion: Congestion
  limiter: RequestLimiter
}

const bodyLimit = 1024 * 1024
const defaultWidth = 1_000
const mediaTypes = { pdf: 'application/pdf', png: 'image/png' } as const
const binary = { schema: Type.String({ format: 'binary' }) }

export const previewRoute = resource<PreviewRouteOptions>('previews', async (app, options) => {
  const { config, bus, templates, readVersion, labels, schemas, newestPins, congestion, limiter } = options
  const newest = new NewestPreviews(bus.nats)

  app.post('/preview', {
    onRequest: needsScope('generate'),
    config: { textFields: ['data'] },
    bodyLimit,
    // A PDF is compressed already: of its Base64 a quarter could be saved, for more time than it takes to send.
    compress: false,
    schema: {
      tags: ['Generations'],
      operationId: 'preview',
      summary: 'Preview a template or an unsaved source',
      description: [
        'Prints a stored `template`, or an unsaved source (`html`) with the look of the `template` if both are given. Data: `data`, a `sample` of the template, or its `sample_data`.',
        'The response is the PDF, or with `format: png` a picture of one page of it. A client that asks for `application/vnd.platen.preview+json` in `Accept` gets `{format, pages, size, warnings, engine, duration_ms, content}` instead, with the file in Base64 in `content`; generated clients know one kind of a response.',
        'Nothing is recorded: no generation, event, file or webhook. A newer preview of the same `client` ends an older one, which answers 409.',
      ].join('\n\n'),
      querystring: OwnerQuery,
      body: PreviewBody,
      response: {
        200: {
          description:
            'The file. `x-preview-pages` has the number of pages, `x-preview-warnings` the warnings as JSON.',
          content: { 'application/pdf': binary, 'image/png': binary },
        },
        ...errorResponses(...bodyErrors, ...printErrors, 'CONFLICT'),
      },
    },
    async handler(request, reply) {
      const { body } = request
      const { id: apiKeyId, ownerId: ownerOfKey } = apiKeyOf(request)
      const { id: ownerId } = ownerOf(request)
      const preview_id = newId('req')
      const disconnected = clientDisconnected(reply)
      using current = newest.begin(JSON.stringify([apiKeyId, body.client ?? '']), preview_id)
      const signal = AbortSignal.any([disconnected, current.signal])
      const { syncTimeoutMs: timeoutMs } = config
      const until = new Date(bus.clock.now() + timeoutMs).toISOString()
      releaseSlot(request)
      using _slot = await limiter.take({ ownerId: ownerOfKey, apiKeyId, isAsync: false, disconnected: signal })
      congestion.check(apiKeyId)
      const input = await resolvePreview(
        { ...body, data_json: jsonsOf(request).data },
        {
          find: (idOrSlug) => templates.find(idOrSlug, ownerId),
          notFound: (idOrSlug) => templates.notFound(idOrSlug, ownerId),
          at: templates.at,
          readVersion,
          checkData: (schema, value) =>
            schemas.check({ owner: ownerId, key: apiKeyId }, schema, [{ name: 'data', value }]),
          labelsOf: async (id) => (await labels.of(id)).labels,
          newestPins: (sources, names) => newestPins(ownerId, sources, names),
        },
      )
      const { format = 'pdf', page = 1, width = defaultWidth } = body
      const requires = featuresOf(input)
      const preview = {
        preview_id,
        owner_id: ownerId,
        api_key_id: apiKeyId,
        input,
        format,
        page,
        width,
        until,
        ...(requires.length > 0 && { requires }),
      }
      const payload = encodePreview(preview)
      checkPreviewSize(payload)
      const printed = await requestPreview(bus, { id: preview_id, payload }, { timeoutMs, signal }).catch((err) => {
        if (err instanceof DomainError) congestion.observe(apiKeyId, err.toFailure())
        throw err
      })
      addVary(reply, 'Accept')
      const { parts, ...result } = printed
      if (wantsPreviewJson(request.headers.accept)) {
        const json = Readable.from(jsonWithContent({ ...result, format }, parts))
        return reply.type(`${previewJson}; charset=utf-8`).send(json as never)
      }
      return reply
        .type(mediaTypes[format])
        .headers(headersOf(printed))
        .header('content-length', result.size)
        .send(Readable.from(parts) as never)
    },
  })
})
