import type { ErrorCode } from '@platen/shared/contracts/error-code.ts'
import { Generation } from '@platen/shared/contracts/generation.ts'
import { ErrorEnvelope } from '@platen/shared/contracts/http.ts'
import { Template } from '@platen/shared/contracts/template.ts'
import type { FastifyInstance } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { statuses } from '../errors/statuses.ts'

// Resources that stand in the reference once, by name.

export const TemplateRef = Type.Unsafe<Template>({ $ref: 'Template#' })
export const GenerationRef = Type.Unsafe<Generation>({ $ref: 'Generation#' })

export function addReferences(app: FastifyInstance): void {
  app.addSchema({ ...Template, $id: 'Template', description: 'A stored Handlebars template.' })
  app.addSchema({ ...Generation, $id: 'Generation', description: 'One PDF: asked for, under way or done.' })
  app.addSchema({ ...ErrorEnvelope, $id: 'ErrorEnvelope', description: 'The body of every error.' })
}

/** Every route can answer these. */
const anywhere: ErrorCode[] = ['INVALID_REQUEST', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']
/** Every route that needs a key can. */
const withKey: ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED']

/** The error responses of a route by status, each naming its codes. */
export function errorResponses(...codes: ErrorCode[]): Record<number, ErrorResponse> {
  const byStatus = Object.groupBy([...new Set([...codes, ...withKey, ...anywhere])], (code) => statuses[code])
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codesOfStatus = []]) => [status, errorResponse(codesOfStatus)]),
  )
}

/** Those of a route that every body-bearing request can meet. */
export const bodyErrors: ErrorCode[] = [
  'VALIDATION_ERROR',
  'INVALID_JSON',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]

type ErrorResponse = ReturnType<typeof errorResponse>

function errorResponse(codes: readonly ErrorCode[]) {
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]))
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    content: { 'application/json': { schema: Type.Unsafe<ErrorEnvelope>({ $ref: 'ErrorEnvelope#' }), examples } },
  }
}

function exampleOf(code: ErrorCode): ErrorEnvelope {
  return { error: { code, ...exampleErrors[code] }, request_id: 'req_01k9x2v7w3d5e8f0g2h4j6k8m0' }
}

const plain = (message: string) => ({ message })

const exampleErrors: Record<ErrorCode, { message: string; details?: unknown }> = {
  VALIDATION_ERROR: {
    message: 'options.margin.top must be a number',
    details: [{ path: 'options.margin.top', message: 'must be a number' }],
  },
  INVALID_JSON: plain('The body is not valid JSON: Unexpected end of JSON input'),
  INVALID_REQUEST: plain('The request cannot be understood'),
  UNAUTHORIZED: plain('This API key is not valid'),
  FORBIDDEN: plain('This API key lacks the scope templates:write'),
  NOT_FOUND: plain('There is nothing at this address'),
  TEMPLATE_NOT_FOUND: plain('No template monthly-invoice'),
  GENERATION_NOT_FOUND: plain('No generation pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'),
  METHOD_NOT_ALLOWED: plain('PUT is not possible here; allowed: GET, HEAD, POST'),
  REQUEST_TIMEOUT: plain('The request did not arrive in time'),
  CONFLICT: plain('The generation is already completed'),
  IDEMPOTENCY_IN_PROGRESS: plain('The first request with this Idempotency-Key is still under way'),
  GENERATION_EXPIRED: plain('This address has expired'),
  PRECONDITION_FAILED: plain('The template is at version 3'),
  PAYLOAD_TOO_LARGE: plain('The body is larger than this route takes'),
  URI_TOO_LONG: plain('The address is longer than 8192 bytes'),
  UNSUPPORTED_MEDIA_TYPE: plain('The body must be JSON: content-type: application/json'),
  TEMPLATE_SYNTAX_ERROR: { message: 'Line 3, column 8: …', details: { line: 3, column: 8 } },
  TEMPLATE_RENDER_ERROR: plain('The template cannot be run with this data'),
  TEMPLATE_TOO_COMPLEX: plain('A template may have at most 5000 mustaches'),
  RENDER_FAILED: plain('page_ranges asks for page 9; the document has 2 pages'),
  RENDER_LIMIT_EXCEEDED: plain('The document has more than 1000 pages'),
  WEBHOOK_URL_FORBIDDEN: plain('webhook_url must be an http or https address of the public internet'),
  IDEMPOTENCY_KEY_REUSED: plain('This Idempotency-Key was used with another body'),
  RATE_LIMITED: plain('600 requests a minute are allowed; try again in 12 s'),
  HEADERS_TOO_LARGE: plain('The headers are too large'),
  INTERNAL_ERROR: plain('Something went wrong on our side'),
  SERVICE_UNAVAILABLE: plain('The service cannot do this at the moment'),
  QUEUE_FULL: plain('20000 generations are waiting; try again later'),
  STORAGE_UNAVAILABLE: plain('The file store cannot be reached at the moment'),
  RENDER_TIMEOUT: {
    message: 'The generation is not done after 30 s; it goes on and can be polled',
    details: {
      generation_id: 'pdf_01k9x2v7w3d5e8f0g2h4j6k8m0',
      poll_url: 'http://localhost:3000/v1/generations/pdf_01k9x2v7w3d5e8f0g2h4j6k8m0',
    },
  },
}

/** A list as HTTP answers it. */
export function pageOf<Item extends TSchema>(item: Item, description: string) {
  return Type.Object(
    {
      data: Type.Array(item),
      next_cursor: Type.Optional(Type.String({ description: 'Only when there is more: pass it as `cursor`.' })),
    },
    { description },
  )
}

/** A response without a body. */
export function noBody(description: string) {
  return Type.Unsafe<undefined>({ type: 'null', description })
}
