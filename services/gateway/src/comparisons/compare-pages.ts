import type { RenderInput } from '@platen/domain/generation/generation.ts'
import type { PageComparison, RenderPreview } from '@platen/domain/generation/preview.ts'
import { featuresOf, pageComparison } from '@platen/domain/generation/render-features.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import type { Template } from '@platen/domain/template/template.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { encodePreview } from '@platen/service-kit/inputs/input-codec.ts'
import type { SchemaChecker } from '@platen/templating/data-schema/schema-checker.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { apiKeyOf } from '../api-keys/authentication.ts'
import { ownerOf } from '../api-keys/owner-of.ts'
import type { Congestion } from '../generations/congestion.ts'
import { resolveInput } from '../generations/resolve-input.ts'
import { clientDisconnected } from '../http/errors/disconnects.ts'
import type { NewestPins } from '../partials/newest-pins.ts'
import { checkPreviewSize, requestPreview } from '../previews/preview-client.ts'
import { beginComparison, type ComparisonLimits } from './begin-comparison.ts'

export interface ComparePagesOptions extends ComparisonLimits {
  config: { syncTimeoutMs: number }
  bus: Bus
  schemas: Pick<SchemaChecker, 'check'>
  newestPins: NewestPins
  congestion: Congestion
}

export interface ComparedVersions {
  from: Template
  to: Template
  /** The data that both versions are printed with. */
  data: { data: JsonObject } | { data_json: string }
  images: boolean
  ignored: PageComparison['ignored']
}

/**
 * Asks a renderer to print two versions and to compare their pages: a preview of both, with the limits and the fairness of one.
 * Returns the JSON of the fields `pages` and `printed` of a TemplateComparison, in parts. Throws DomainError, and the reason of
 * a client that has disconnected.
 */
export async function comparePages(
  options: ComparePagesOptions,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { from, to, images, ignored, data }: ComparedVersions,
): Promise<readonly Uint8Array[]> {
  const { congestion, bus } = options
  const { syncTimeoutMs: timeoutMs } = options.config
  const { id: apiKeyId } = apiKeyOf(request)
  const { id: ownerId } = ownerOf(request)
  const signal = clientDisconnected(reply)
  const until = new Date(bus.clock.now() + timeoutMs).toISOString()
  using _comparison = await beginComparison(options, request, signal)
  congestion.check(apiKeyId)
  const resolve = (template: Template) => inputOf(template, { options, data, owner: ownerId, key: apiKeyId })
  const [input, newer] = [await resolve(from), await resolve(to)]
  const { template = { id: to.id, version: to.version }, partials } = newer
  const comparison = { to: { template, ...defined({ partials }), options: newer.options }, images, ignored }
  const preview_id = newId('req')
  const payload = encodePreview({
    preview_id,
    owner_id: ownerId,
    api_key_id: apiKeyId,
    input,
    comparison,
    until,
    format: 'pdf',
    page: 1,
    width: 1,
    requires: [...new Set([pageComparison, ...featuresOf(input), ...featuresOf(newer)])],
  } satisfies RenderPreview)
  checkPreviewSize(payload)
  const lateMessage = `The versions were not printed and compared within ${timeoutMs / 1_000} s; use data that make fewer pages, or raise SYNC_TIMEOUT_MS`
  const { parts } = await requestPreview(bus, { id: preview_id, payload }, { timeoutMs, lateMessage, signal }).catch(
    (err) => {
      if (err instanceof DomainError) congestion.observe(apiKeyId, err.toFailure())
      throw err
    },
  )
  return parts
}

interface InputContext {
  options: ComparePagesOptions
  data: ComparedVersions['data']
  owner: string
  key: string
}

/** The input of the renderer, equal to that of a generation with this version. */
async function inputOf(
  template: Template,
  { options: { schemas, newestPins }, data, owner, key }: InputContext,
): Promise<RenderInput> {
  const lookup = {
    // Versions of a deleted template can be compared, too.
    find: async () => template,
    notFound: notAsked,
    readVersion: notAsked,
    labelsOf: notAsked,
    newestPins: (sources: readonly string[], names?: readonly string[]) => newestPins(owner, sources, names),
    async checkData(schema: JsonObject, value: JsonObject | string) {
      await schemas.check({ owner, key }, schema, [{ name: 'data', value }]).catch((err: unknown) => {
        throw err instanceof DomainError ? refusedBy(template, err) : err
      })
    },
  }
  return (await resolveInput({ template: template.id, ...data }, lookup)).input
}

function notAsked(): never {
  throw new Error('the version is known already')
}

function refusedBy({ version }: Template, { code, message, details }: DomainError): DomainError {
  const why = `Version ${version} does not accept the data: ${message}; compare with data that both versions accept`
  return new DomainError(code, why, { details })
}
