import { ApiKey, type Scope } from '@platen/domain/api-key/api-key.ts'
import { Asset } from '@platen/domain/asset/asset.ts'
import { Batch } from '@platen/domain/batch/batch.ts'
import { DeadLetter } from '@platen/domain/dead-letter/dead-letter.ts'
import { Delivery } from '@platen/domain/delivery/delivery.ts'
import { RecordedEvent } from '@platen/domain/event-log/recorded-event.ts'
import { Generation } from '@platen/domain/generation/generation.ts'
import { type ErrorCode, errorCatalogue } from '@platen/domain/http/error-catalogue.ts'
import { ErrorEnvelope } from '@platen/domain/http/http.ts'
import { Owner } from '@platen/domain/owner/owner.ts'
import { Partial } from '@platen/domain/partial/partial.ts'
import { Status } from '@platen/domain/status/status.ts'
import { Template } from '@platen/domain/template/template.ts'
import { statedRules } from '@platen/foundation/json/json.ts'
import type { IdPrefix } from '@platen/foundation/runtime/ids.ts'
import type { FastifyInstance } from 'fastify'
import { type TSchema, Type } from 'typebox'

// Schemas that the OpenAPI document defines once and references by name.

export const TemplateRef = Type.Unsafe<Template>({ $ref: 'Template#' })
export const PartialRef = Type.Unsafe<Partial>({ $ref: 'Partial#' })
export const ApiKeyRef = Type.Unsafe<ApiKey>({ $ref: 'ApiKey#' })
export const OwnerRef = Type.Unsafe<Owner>({ $ref: 'Owner#' })
export const AssetRef = Type.Unsafe<Asset>({ $ref: 'Asset#' })
export const DeadLetterRef = Type.Unsafe<DeadLetter>({ $ref: 'DeadLetter#' })
export const RecordedEventRef = Type.Unsafe<RecordedEvent>({ $ref: 'RecordedEvent#' })
export const DeliveryRef = Type.Unsafe<Delivery>({ $ref: 'Delivery#' })
export const BatchRef = Type.Unsafe<Batch>({ $ref: 'Batch#' })
export const StatusRef = Type.Unsafe<Status>({ $ref: 'Status#' })
export const GenerationRef = Type.Unsafe<Generation>({ $ref: 'Generation#' })

export function addSharedSchemas(app: FastifyInstance): void {
  app.addSchema({ ...Template, $id: 'Template', description: 'A stored Handlebars template.' })
  app.addSchema({ ...Asset, $id: 'Asset', description: 'A picture, font or style sheet that documents use.' })
  app.addSchema({ ...Partial, $id: 'Partial', description: 'A stored fragment that templates call by its name.' })
  app.addSchema({ ...Delivery, $id: 'Delivery', description: 'The webhook of a generation, with its attempts.' })
  app.addSchema({ ...DeadLetter, $id: 'DeadLetter', description: 'A message that could not be handled.' })
  app.addSchema({ ...RecordedEvent, $id: 'RecordedEvent', description: 'An event of the log.' })
  app.addSchema({ ...Generation, $id: 'Generation', description: 'The state of one generated PDF.' })
  app.addSchema({ ...Batch, $id: 'Batch', description: 'Many documents that were requested at once.' })
  app.addSchema({ ...ApiKey, $id: 'ApiKey', description: 'An API key without its secret.' })
  app.addSchema({ ...Owner, $id: 'Owner', description: 'An owner of API keys, templates and generations.' })
  app.addSchema({ ...Status, $id: 'Status', description: 'How a deployment stands, or the generations of an owner.' })
  app.addSchema({ ...ErrorEnvelope, $id: 'ErrorEnvelope', description: 'The body of every error response.' })
}

/** Codes that every route may answer. */
const commonErrors: ErrorCode[] = [
  'VALIDATION_ERROR',
  'INVALID_REQUEST',
  'URI_TOO_LONG',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]
/** Codes of every route that requires an API key. */
const keyErrors: ErrorCode[] = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'OWNER_NOT_FOUND',
  'RATE_LIMITED',
  'CONCURRENCY_LIMIT_EXCEEDED',
]
/** Codes of every route that takes a request body. */
export const bodyErrors: ErrorCode[] = [
  'INVALID_JSON',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]

/** Codes of every route that prints a document and waits for it. */
export const printErrors: ErrorCode[] = [
  'TEMPLATE_NOT_FOUND',
  'LABEL_NOT_FOUND',
  'TEMPLATE_SYNTAX_ERROR',
  'TEMPLATE_RENDER_ERROR',
  'TEMPLATE_TOO_COMPLEX',
  'RENDER_FAILED',
  'RENDER_LIMIT_EXCEEDED',
  'PDF_TOO_COMPLEX',
  'QUEUE_FULL',
  'RENDER_TIMEOUT',
]

/** The error responses of a route by status, with an example for each code. */
export function errorResponses(...codes: ErrorCode[]): Record<number, ErrorResponse> {
  return errorResponsesWithoutKey(...codes, ...keyErrors)
}

/** The error responses of a route that needs no API key. */
export function errorResponsesWithoutKey(...codes: ErrorCode[]): Record<number, ErrorResponse> {
  const all = [...new Set([...codes, ...commonErrors])]
  const byStatus = Object.groupBy(all, (code) => errorCatalogue[code].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codesOfStatus = []]) => [status, errorResponse(codesOfStatus)]),
  )
}

/** The 400 of a route without an API key and without parameters. */
export function invalidRequest(): Record<400, ErrorResponse> {
  return { 400: errorResponse(['VALIDATION_ERROR', 'INVALID_REQUEST']) }
}

/** The errors of a route that needs no API key, and tells more to some. */
export function optionalKeyErrors(): Record<400 | 401 | 429, ErrorResponse> {
  return { ...invalidRequest(), 401: errorResponse(['UNAUTHORIZED']), 429: errorResponse(['RATE_LIMITED']) }
}

type ErrorResponse = ReturnType<typeof errorResponse>

function errorResponse(codes: readonly ErrorCode[]) {
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]))
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].description}`).join('\n\n'),
    content: { 'application/json': { schema: Type.Unsafe<ErrorEnvelope>({ $ref: 'ErrorEnvelope#' }), examples } },
  }
}

function exampleOf(code: ErrorCode): ErrorEnvelope {
  return { error: { code, ...errorCatalogue[code].example }, request_id: 'req_01k9x2v7w3d5e8f0g2h4j6k8m0' }
}

/** The path parameter with the id of an aggregate: `prefix` is that of its ids. */
export function idParams(prefix: IdPrefix, name = 'Id') {
  const examples = [`${prefix}_01k9x2v7w3d5e8f0g2h4j6k8m0`]
  return Type.Object({ id: Type.String({ description: `${name} (\`${prefix}_…\`).`, examples }) })
}

/** A page of a list. */
export function pageOf<Item extends TSchema>(title: string, item: Item, description: string) {
  return Type.Object(
    {
      data: Type.Array(item),
      next_cursor: Type.Optional(
        Type.String({ description: 'Present if there are more items: send it as `cursor` to get the next page.' }),
      ),
    },
    { title, description },
  )
}

/** A response without a body. */
export function noBody(description: string) {
  return Type.Unsafe<undefined>({ type: 'null', description })
}

/** The value of `If-Match` or `If-None-Match`: `*` or a list of entity tags (RFC 9110, section 8.8.3). */
export function entityTags(description: string, ...examples: string[]) {
  const pattern = '^(\\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$'
  return Type.Optional(
    Type.String({ [statedRules]: { pattern }, description, ...(examples.length > 0 && { examples }) }),
  )
}

/** The body of a PATCH in each of the media types that it accepts. Handlers see the type of the first. */
export function jsonOrMergePatch<Schema extends TSchema>(schema: Schema, merged: TSchema = schema): Schema {
  const content = { 'application/json': { schema }, 'application/merge-patch+json': { schema: merged } }
  return { content } as unknown as Schema
}

const scopesOfHooks = new WeakMap<object, readonly Scope[]>()

/** Records that a hook requires one of these scopes, so that the OpenAPI document names them. */
export function withScopes<Hook extends object>(hook: Hook, scopes: readonly Scope[]): Hook {
  scopesOfHooks.set(hook, scopes)
  return hook
}

/** For each hook of a route that requires scopes: those of which one is required. */
export function scopesOf(hooks: unknown): (readonly Scope[])[] {
  return [hooks].flat().flatMap((hook) => {
    const scopes = typeof hook === 'function' ? scopesOfHooks.get(hook) : undefined
    return scopes ? [scopes] : []
  })
}
