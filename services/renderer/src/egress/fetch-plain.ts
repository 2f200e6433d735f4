import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestOverHttp,
  type ServerResponse,
} from 'node:http'
import { request as requestOverTls } from 'node:https'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CheckedTarget } from './checked-target.ts'
import type { EgressLimits } from './egress-policy.ts'
import { Refusal } from './refusal.ts'
import type { HeadersFor } from './request-extras.ts'

/** Hop-by-hop headers, which a proxy must not forward (RFC 9110, 7.6.1). */
const hopByHop = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
])

/** Request headers that concern the document's own origin. The host of the base URL does not get them. */
const ofTheDocument = new Set(['host', 'origin', 'referer', 'cookie'])
/** Response headers that concern the host of the base URL. The document does not get them. */
const ofTheUpstream = new Set(['set-cookie', 'strict-transport-security', 'clear-site-data', 'alt-svc'])

export const maxRedirects = 5

/** Fetches one resource over plain HTTP: bounded in time and bytes, from an address that was checked. */
export async function fetchPlain(
  request: IncomingMessage,
  response: ServerResponse,
  { added = {}, ...target }: CheckedTarget & { path: string; added?: OutgoingHttpHeaders },
  limits: EgressLimits,
  blocked: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([blocked, AbortSignal.timeout(limits.resourceTimeoutMs)])
  const headers = { ...endToEnd(request.headers), ...added }
  const answer = await sendRequest({ ...target, method: request.method ?? 'GET', headers, signal, tls: false })
  await passOn(answer, endToEnd(answer.headers), { response, limits, signal })
}

export interface FromBase {
  url: URL
  /** Rejects with a Refusal where the policy does not allow the URL. */
  check(url: URL): Promise<CheckedTarget>
  /** Headers that are added to the request for a URL. */
  headersFor?: HeadersFor | undefined
}

/**
 * Fetches a resource of the document's own origin from the host of its base URL, over HTTP or TLS. Redirects within
 * that host are followed here, so that the resource keeps the document's origin.
 */
export async function fetchFromBase(
  request: IncomingMessage,
  response: ServerResponse,
  { url: first, check, headersFor }: FromBase,
  limits: EgressLimits,
  blocked: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([blocked, AbortSignal.timeout(limits.resourceTimeoutMs)])
  const method = request.method ?? 'GET'
  let url = first
  for (let redirects = 0; ; redirects++) {
    const target = await check(url)
    const own = without(endToEnd(request.headers), ofTheDocument)
    const headers = { ...own, host: url.host, ...(await headersFor?.(url)) }
    const path = url.pathname + url.search
    const answer = await sendRequest({ ...target, path, method, headers, signal, tls: url.protocol === 'https:' })
    const next = redirectOf(answer, url)
    if (next?.hostname !== url.hostname || redirects === maxRedirects) {
      return passOn(answer, without(endToEnd(answer.headers), ofTheUpstream), { response, limits, signal })
    }
    answer.destroy()
    url = next
  }
}

export interface OutgoingRequest extends CheckedTarget {
  path: string
  method: string
  headers: OutgoingHttpHeaders
  signal: AbortSignal
  tls: boolean
}

export async function sendRequest({ tls, ...target }: OutgoingRequest): Promise<IncomingMessage> {
  const options = { ...target, agent: false, autoSelectFamily: true, setHost: false }
  const upstream = tls ? requestOverTls({ ...options, servername: target.host }) : requestOverHttp(options)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once('response', resolve).once('error', reject).end()
    upstream.once('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(new Refusal(502, 'an unrequested upgrade'))
    })
  })
  // Errors after the answer began reach the pipeline of the answer.
  upstream.on('error', () => {})
  return answer
}

export function redirectOf({ statusCode = 0, headers }: IncomingMessage, url: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return null
  const next = URL.parse(headers.location, url.href)
  return next && /^https?:$/.test(next.protocol) ? next : null
}

interface PassOn {
  response: ServerResponse
  limits: EgressLimits
  signal: AbortSignal
}

async function passOn(answer: IncomingMessage, headers: OutgoingHttpHeaders, { response, limits, signal }: PassOn) {
  if (answer.statusCode === 407) {
    // The browser would treat it as the proxy's own answer and drop its credentials for the proxy.
    answer.destroy()
    throw new Refusal(502, 'a challenge of a proxy', 'its server answered with 407')
  }
  if (Number(answer.headers['content-length'] ?? 0) > limits.resourceBytes) {
    answer.destroy()
    throw tooLarge(limits.resourceBytes)
  }
  response.writeHead(answer.statusCode ?? 502, headers)
  await pipeline(answer, atMost(limits.resourceBytes), response, { signal })
}

/** The headers without hop-by-hop headers and those that `Connection` names. */
export function endToEnd(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  return without(headers, new Set([...hopByHop, ...named]))
}

function without(headers: OutgoingHttpHeaders, names: ReadonlySet<string>): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name)))
}

function tooLarge(bytes: number): Refusal {
  return new Refusal(502, `more than ${bytes} bytes`)
}

/** Passes bytes on and breaks off at the limit. */
export function atMost(bytes: number): Transform {
  let passed = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length
      if (passed > bytes) done(tooLarge(bytes))
      else done(null, chunk)
    },
  })
}
