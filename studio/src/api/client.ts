import createClient from 'openapi-fetch'
import type { components, paths } from '../../../clients/typescript/src/api-types.ts'
import { actingOwner } from '../router/acting-owner.ts'
import { ApiError, errorOf } from './api-error.ts'
import { connectionLost } from './connection.ts'
import { parseExact } from './exact-json.ts'
import { currentSession, mayUse, sessionEnded } from './session-state.ts'

export type Schemas = components['schemas']

/**
 * The public API, typed by the OpenAPI document: `api.GET('/v1/templates', { params: { query: { limit: 50 } }, signal })`. Its
 * responses go through `unwrap`. The session is the cookie, which the browser sends by itself.
 */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: send })

/** These are about the session or about all owners, and take no `owner`, or have it as a filter. */
const ofNoOwner = /^\/v1\/(session|owners|events|streams|dead-letters)(\/|$)/

/** Sends a request for the owner that it or else the address names. Rejects with an ApiError if there is no response. */
export async function send(request: Request): Promise<Response> {
  const sent = withOwner(request)
  try {
    const response = await fetch(sent)
    // A key that is refused is not the session.
    if (response.status === 401 && !sent.headers.has('authorization')) sessionEnded()
    return response
  } catch (err) {
    if (request.signal.aborted) throw err
    connectionLost()
    throw new ApiError('The server cannot be reached', { code: 'NETWORK_ERROR', status: 0 })
  }
}

function withOwner(request: Request): Request {
  const url = new URL(request.url)
  const owner = actingOwner.value
  const takesOwner = url.pathname.startsWith('/v1/') && !ofNoOwner.test(url.pathname)
  if (owner === undefined || url.searchParams.has('owner') || !takesOwner) return request
  url.searchParams.set('owner', owner)
  return new Request(url, request)
}

/** The URL of a resource for links, pictures and `EventSource`: with the owner that the address names. */
export function apiUrl(path: string, query: Record<string, string | number | undefined> = {}): string {
  const url = new URL(path, location.origin)
  const owner = ofNoOwner.test(url.pathname) ? undefined : actingOwner.value
  for (const [name, value] of Object.entries({ owner, ...query })) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url.pathname + url.search
}

/**
 * The owner that is looked at now, for the query of work of several requests: it stays theirs when one looks at another owner before
 * it has ended.
 */
export function ownerNow(): { owner?: string } {
  return mayUse('admin') ? { owner: actingOwner.value ?? currentSession().owner.id } : {}
}

interface Answer<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/** The body of a response. Rejects with an ApiError for an error response. */
export async function unwrap<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await call
  if (!response.ok) throw errorOf(error, response)
  return data as Data
}

/** The same for a call with `parseAs: 'text'`, as that of a template with its data: large numbers keep their digits. */
export async function unwrapExact<Data>(call: Promise<Answer<unknown>>): Promise<Data> {
  return parseExact(String(await unwrap(call))) as Data
}
