import type { IncomingHttpHeaders } from 'node:http'
import { fail } from '@platen/domain/http/errors.ts'
import { jsonSha256 } from '@platen/foundation/json/canonical-json.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import type { Patience } from '@platen/foundation/runtime/fair-queue.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { BodyTask } from '../bodies/body-protocol.ts'
import { BodyReader, type LargeBody } from '../bodies/body-reader.ts'
import { type BodySchema, bodySchema } from '../bodies/excerpt.ts'
import { parseBody } from '../bodies/parse-body.ts'
import { type Arriving, receive } from '../bodies/receive.ts'

/** No step of a smaller body takes more than 15 ms, whatever it has. */
export const largeBytes = 64 * 1024

/** A request's decorator: what its body waits for when it has arrived. */
export const beforeParsing = 'beforeParsing'
export type BeforeParsing = (bytes: number) => Promise<Reading>

/** A body that is being read. It ends on disposal. */
export interface Reading extends Disposable {
  caller: Claim
  patience: Patience
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The fields of large bodies that are not parsed in the main thread, see `jsonsOf`. */
    textFields?: readonly string[]
    /** The content type of a body that the route itself reads as it arrives, under its own limits. */
    streamedType?: string
    /** A request without a body is one with an empty object. */
    optionalBody?: boolean
  }
}

const largeBody = 'largeBody'
const bodyReader = 'bodyReader'

/**
 * JSON of the route's `textFields` in a large body, whose values `request.body` does not have. A JSON Merge Patch has
 * none.
 */
export function jsonsOf(request: FastifyRequest): LargeBody['jsons'] {
  return request.getDecorator<LargeBody | null>(largeBody)?.jsons ?? {}
}

/** SHA-256 (hex) of the body, independent of the order of its fields. */
export function bodySha256(request: FastifyRequest): string {
  return request.getDecorator<LargeBody | null>(largeBody)?.sha256 ?? jsonSha256(request.body as Json)
}

const mergePatchType = 'application/merge-patch+json'

/** Accepts only JSON bodies in UTF-8, and limits their nesting to what the services can process recursively. */
export const jsonBody = fp(
  async (app) => {
    app.addHook('onRequest', async ({ headers }, reply) => {
      const encoding = headers['content-encoding']
      if (encoding !== undefined && encoding !== 'identity') {
        // RFC 9110, section 15.5.16.
        reply.header('accept-encoding', 'identity')
        fail('UNSUPPORTED_MEDIA_TYPE', 'The request body must not be compressed: remove the content-encoding header')
      }
    })
    app.removeAllContentTypeParsers()
    app.decorateRequest(beforeParsing, null)
    app.decorateRequest(largeBody, null)
    const reader = new BodyReader()
    app.decorate(bodyReader, reader)
    app.addHook('onClose', () => reader[Symbol.asyncDispose]())
    const parse = async (request: FastifyRequest, arriving: Arriving) => {
      const bytes = await readAll(request, arriving)
      // Some clients send a content type without a body.
      const { config, schema } = request.routeOptions
      if (bytes.length === 0 && (schema?.body === undefined || config.optionalBody)) return undefined
      using reading = await request.getDecorator<BeforeParsing | null>(beforeParsing)?.(bytes.length)
      if (bytes.length === 0) emptyBody()
      // Those of a large body are moved to the thread.
      const isLarge = bytes.length > largeBytes
      const body = await readJson(request, bytes, reading)
      if (isLarge) request.setDecorator(largeBody, body)
      return body.value
    }
    app.addContentTypeParser(['application/json', mergePatchType], parse)
    // Fastify does not validate a body without a content type if the schemas of the route are by content type.
    app.addHook('preValidation', async ({ routeOptions, body }) => {
      const schema = routeOptions.schema?.body as { content?: object } | undefined
      if (body === undefined && schema?.content && 'application/json' in schema.content) emptyBody()
    })
    app.addHook('preValidation', async (request) => {
      if (request.body === undefined && request.routeOptions.config.optionalBody) request.body = {}
    })
    app.addHook('preParsing', async ({ method, headers }) => {
      if (method === 'PATCH' || !isMergePatch(headers)) return
      fail('UNSUPPORTED_MEDIA_TYPE', 'The request body must be JSON: send content-type: application/json')
    })
  },
  { name: 'json-body', dependencies: ['errors', 'validation'] },
)

function readAll({ routeOptions: { bodyLimit: maxBytes } }: FastifyRequest, arriving: Arriving): Promise<Buffer> {
  const tooLarge = () => refuseLarge(maxBytes)
  return readBytes(receive(arriving, { maxBytes, tooLarge, expectedBytes: largeBytes }))
}

const refuseLarge = (limit: number) =>
  fail('PAYLOAD_TOO_LARGE', `The request body is larger than ${limit / 1024 / 1024} MiB`)

/**
 * Reads the JSON of a request, which is its body or a field of its form: a large one in the thread. Throws the errors of
 * `parseBody`.
 */
export async function readJson(
  request: FastifyRequest,
  bytes: Buffer,
  reading?: ForWhom,
): Promise<Pick<LargeBody, 'value'>> {
  if (bytes.length <= largeBytes) return { value: parseBody(bytes) }
  return readInThread(request, { bytes, ...taskOf(request) }, reading)
}

type ForWhom = Pick<Reading, 'caller' | 'patience'>

/** Reads JSON in the thread of this server. */
export function readInThread(
  { server }: FastifyRequest,
  task: BodyTask,
  { caller, patience }: ForWhom = { caller: nobody, patience: {} },
): Promise<LargeBody> {
  return server.getDecorator<BodyReader>(bodyReader).read(caller, task, patience)
}

const nobody: Claim = { owner: '', key: '' }
/** The fields of a request that takes no body are named in its refusal. */
const noBody: BodySchema = { properties: {}, additionalProperties: false }

function taskOf({ headers, routeOptions: { schema, config } }: FastifyRequest): Omit<BodyTask, 'bytes'> {
  const described = schema?.body as (BodySchema & { content?: Record<string, { schema: BodySchema }> }) | undefined
  // A merge needs the values of the body.
  const isMerge = isMergePatch(headers)
  const type = isMerge ? mergePatchType : 'application/json'
  return {
    schema: bodySchema(described?.content?.[type]?.schema ?? described ?? noBody),
    textFields: isMerge ? [] : (config.textFields ?? []),
    isHashed: headers['idempotency-key'] !== undefined,
  }
}

/**
 * `Expect: 100-continue` (RFC 9110, section 10.1.1). A request that its headers disqualify is answered at once, so that
 * the client does not send the body; Node would ask for the body first.
 */
export const expectContinue = fp(
  async (app) => {
    app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
    // Runs after all onRequest hooks: the API key, its scope, the rate limit.
    app.addHook('preParsing', async (request, reply) => {
      const { bodyLimit, config } = request.routeOptions
      const isStreamed = config.streamedType !== undefined && config.streamedType === typeOf(request.headers)
      if (!isStreamed && Number(request.headers['content-length']) > bodyLimit) {
        refuseLarge(bodyLimit)
      }
      if (/^100-continue$/i.test(request.headers.expect ?? '')) reply.raw.writeContinue()
    })
  },
  { name: 'expect-continue', dependencies: ['json-body'] },
)

/** Whether the body of a PATCH is a JSON Merge Patch (RFC 7396). */
export function isMergePatch(headers: IncomingHttpHeaders): boolean {
  return typeOf(headers) === mergePatchType
}

const typeOf = ({ 'content-type': type = '' }: IncomingHttpHeaders) => type.split(';')[0]?.trim().toLowerCase()

function emptyBody(): never {
  return fail('INVALID_JSON', 'The request body is empty; it must be a JSON object')
}
