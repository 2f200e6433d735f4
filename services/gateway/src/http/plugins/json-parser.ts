import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { fail } from '@platen/domain/http/errors.ts'
import { markIntegers, parseMarked, restoreMarked } from '@platen/foundation/json/exact-json.ts'
import { withoutControls } from '@platen/foundation/runtime/readable.ts'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { checkValues, structureProblem } from './json-structure.ts'

const maxDepth = 64
/** A body at this limit is parsed in less than 50 ms; meanwhile no other request is served. */
const maxCost = 210_000
/** Each is converted on its own, several times on its way. */
const maxLargeIntegers = 50_000
/** Larger bodies are parsed in steps, between which other requests are served. */
const stepwiseBytes = 64 * 1024
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A request's decorator: what its body waits for when it has arrived. */
export const beforeParsing = 'beforeParsing'
type BeforeParsing = (bytes: number) => Promise<void>

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
    const parse = async (request: FastifyRequest, bytes: Buffer) => {
      // Some clients send a content type without a body.
      if (bytes.length === 0 && request.routeOptions.schema?.body === undefined) return undefined
      await request.getDecorator<BeforeParsing | null>(beforeParsing)?.(bytes.length)
      return await parseBody(bytes)
    }
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse)
    app.addContentTypeParser(mergePatchType, { parseAs: 'buffer' }, parse)
    // Fastify does not validate a body without a content type if the schemas of the route are by content type.
    app.addHook('preValidation', async ({ routeOptions, body }) => {
      const schema = routeOptions.schema?.body as { content?: object } | undefined
      if (body === undefined && schema?.content && 'application/json' in schema.content) emptyBody()
    })
    app.addHook('preParsing', async ({ method, headers }) => {
      if (method === 'PATCH' || !isMergePatch(headers)) return
      fail('UNSUPPORTED_MEDIA_TYPE', 'The request body must be JSON: send content-type: application/json')
    })
  },
  { name: 'json-body', dependencies: ['errors', 'validation'] },
)

/**
 * `Expect: 100-continue` (RFC 9110, section 10.1.1): a request that is refused by its headers is answered at once, so that
 * the client does not send the body. Node would ask for the body first.
 */
export const expectContinue = fp(
  async (app) => {
    app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
    // Runs after all onRequest hooks: the API key, its scope, the rate limit.
    app.addHook('preParsing', async (request, reply) => {
      const { bodyLimit } = request.routeOptions
      if (Number(request.headers['content-length']) > bodyLimit) {
        fail('PAYLOAD_TOO_LARGE', `The request body is larger than ${bodyLimit / 1024 / 1024} MiB`)
      }
      if (/^100-continue$/i.test(request.headers.expect ?? '')) reply.raw.writeContinue()
    })
  },
  { name: 'expect-continue', dependencies: ['json-body'] },
)

/** Whether the body of a PATCH is a JSON Merge Patch (RFC 7396). */
export function isMergePatch({ 'content-type': type = '' }: IncomingHttpHeaders): boolean {
  return type.split(';')[0]?.trim().toLowerCase() === mergePatchType
}

/** Rejects with DomainError INVALID_JSON or PAYLOAD_TOO_LARGE. */
export async function parseBody(bytes: Uint8Array): Promise<unknown> {
  if (bytes.length === 0) emptyBody()
  const nextStep = async () => {
    if (bytes.length > stepwiseBytes) await setImmediate()
  }
  const text = decode(bytes)
  await nextStep()
  checkStructure(text)
  await nextStep()
  const marked = markIntegers(text, maxLargeIntegers) ?? failTooManyIntegers()
  await nextStep()
  const parsed = parseJson(text, marked)
  await nextStep()
  const value = marked === text ? parsed : restoreMarked(parsed)
  await nextStep()
  if (marked !== text || suspicious.test(text)) {
    checkValues(value)
    await nextStep()
  }
  return value
}

function emptyBody(): never {
  return fail('INVALID_JSON', 'The request body is empty; it must be a JSON object')
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return fail('INVALID_JSON', 'The request body is not valid UTF-8')
  }
}

function checkStructure(text: string): void {
  const problem = structureProblem(text, { depth: maxDepth, cost: maxCost })
  if (problem === 'depth') fail('INVALID_JSON', `The request body is nested deeper than ${maxDepth} levels`)
  if (problem === 'values') {
    fail(
      'PAYLOAD_TOO_LARGE',
      `The request body has more than ${maxCost} values; a field that no earlier object has counts six times, and twice after the first 128 of its object`,
    )
  }
}

function failTooManyIntegers(): never {
  return fail('PAYLOAD_TOO_LARGE', `The request body has more than ${maxLargeIntegers} integers beyond ±2^53`)
}

function parseJson(text: string, marked: string): unknown {
  try {
    return parseMarked(text, marked)
  } catch (cause) {
    return fail(
      'INVALID_JSON',
      `The request body is not valid JSON: ${withoutControls((cause as SyntaxError).message)}`,
    )
  }
}

/**
 * A text without an exponent, so many digits or a field `__proto__` has no value that `checkValues` rejects. To look at each
 * value takes as long as to parse them.
 */
const suspicious = /\d[eE]\+?\d|\d{16}|__proto__|\\u005f/i
