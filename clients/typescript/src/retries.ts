import type { Deadline } from './deadline.ts'
import { bodyProblem, expectedTypes, hasType, isStreamed, mayBeEmpty } from './expected-response.ts'
import { failureOf, PlatenError, unexpectedResponse } from './platen-error.ts'
import { randomId } from './web-crypto.ts'

/** Requests of POST that have the same effect once and repeatedly, if they have an Idempotency-Key. */
export const idempotentPosts = [
  '/v1/batches',
  '/v1/generate',
  '/v1/generations/{id}/retry',
  '/v1/partials',
  ...['attach', 'convert', 'fill', 'flatten', 'images', 'merge', 'metadata', 'optimize'].map(
    (name) => `/v1/pdf/${name}`,
  ),
  ...['protect', 'rotate', 'sign', 'split', 'stamp', 'unlock'].map((name) => `/v1/pdf/${name}`),
  '/v1/templates',
]
const idempotentPaths = idempotentPosts.map((path) => new RegExp(`${path.replace('{id}', '[^/]+')}$`))

const busyStatuses = [429, 502, 503, 504]
/** The generation has an outcome or is still running: repeating the request would not help. */
const finalCodes = ['RENDER_TIMEOUT', 'WAIT_TIMEOUT']
const firstDelayMs = 500
const longestDelayMs = 10_000

export interface Sender {
  fetch: (request: Request) => Promise<Response>
  retries: number
}

/**
 * Sends a request again while it fails with a temporary failure: a broken connection, or the status 429, 502, 503 or
 * 504. Waits as long as `Retry-After` says, or longer each time. A request that could have an effect twice is repeated
 * only after a 429. Rejects with the reason of the deadline's signal, and with UNEXPECTED_RESPONSE for a success that
 * Platen cannot have sent.
 */
export async function sendWithRetries(sender: Sender, request: Request, deadline: Deadline): Promise<Response> {
  const path = new URL(request.url).pathname
  const isIdempotentPost = request.method === 'POST' && idempotentPaths.some((known) => known.test(path))
  const headers = new Headers(request.headers)
  if (isIdempotentPost && !headers.has('idempotency-key')) headers.set('idempotency-key', await randomId())
  const isRepeatable = isIdempotentPost || ['GET', 'HEAD'].includes(request.method)
  for (let attempt = 0; ; attempt++) {
    // A file may be in an object store. What else is redirected would become a GET, or take the API key elsewhere.
    const redirect = isStreamed(request) ? 'follow' : 'manual'
    const init = { headers, redirect, signal: deadline.signal } as const
    const outcome = await sendOnce(sender, new Request(request.clone(), init), deadline)
    const isLast = attempt >= sender.retries
    const mayRepeat = isRepeatable || ('status' in outcome && outcome.status === 429)
    const delayMs = isLast || !mayRepeat ? undefined : delayBeforeRetry(outcome, attempt)
    if (delayMs !== undefined && delayMs < deadline.remainingMs) await deadline.sleep(delayMs)
    else if (outcome instanceof PlatenError) throw outcome
    else return outcome.response
  }
}

interface Answered {
  status: number
  response: Response
  /** The code of the error in the body. */
  code: string | undefined
}

/** The body is read, so that a connection that breaks in it counts, too. Files are streams. */
async function sendOnce({ fetch }: Sender, request: Request, { signal }: Deadline): Promise<Answered | PlatenError> {
  try {
    const response = await fetch(request)
    const { status, statusText, headers } = response
    if (mayBeEmpty(request, response)) return { status, response, code: undefined }
    // Browsers hide the status of a redirect.
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      return unexpectedResponse(response, new Uint8Array(), 'it is a redirect')
    }
    const hasExpectedType = expectedTypes(request).some((type) => hasType(headers, type))
    if (response.ok && hasExpectedType && isStreamed(request)) return { status, response, code: undefined }
    const body = new Uint8Array(await response.arrayBuffer())
    const problem = response.ok ? bodyProblem(request, headers, body) : undefined
    if (problem !== undefined) return unexpectedResponse(response, body, problem)
    // No Response can be constructed with such a status.
    if (status > 599) return unexpectedResponse(response, body, 'its status is none of HTTP')
    const isError = !response.ok && hasType(headers, 'application/json')
    const code = isError ? failureOf(parsed(body))?.code : undefined
    return { status, response: new Response(body, { status, statusText, headers }), code }
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    const { host } = new URL(request.url)
    return new PlatenError({ code: 'NETWORK_ERROR', message: `The connection to ${host} failed`, cause })
  }
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/** The delay in milliseconds; undefined if another attempt would not help. */
function delayBeforeRetry(outcome: Answered | PlatenError, attempt: number): number | undefined {
  // Jitter spreads the retries of clients that failed at the same moment.
  const backoffMs = Math.min(firstDelayMs * 2 ** attempt, longestDelayMs) * (0.5 + Math.random() / 2)
  if (outcome instanceof PlatenError) return outcome.code === 'NETWORK_ERROR' ? backoffMs : undefined
  const { status, response, code } = outcome
  if (!busyStatuses.includes(status) || (code !== undefined && finalCodes.includes(code))) return undefined
  return Math.max(backoffMs, retryAfterMs(response.headers) ?? 0)
}

/** `Retry-After` in milliseconds: seconds or a date (RFC 9110, section 10.2.3). */
export function retryAfterMs(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (value === undefined || value === '') return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
