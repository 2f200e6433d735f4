import http from 'node:http'
import https from 'node:https'
import { hasBlockedPort } from '@platen/foundation/net/blocked-ports.ts'
import { pinnedLookup } from '@platen/foundation/net/pinned-lookup.ts'
import { type ResolvedAddress, resolvePublic, UrlNotAllowed } from '@platen/foundation/net/public-address.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { BodyUnavailable } from './body-unavailable.ts'

import { type StreamedBody, sendStreamed } from './send-streamed.ts'

/** One message for unknown and private hosts, so that it reveals no names and addresses of the private network. */
const notPublic = 'the host is unknown or not public'

/** Servers that do not send the certificates in between are the usual cause. */
const incomplete =
  'the TLS certificate is not trusted: its authority is unknown, or an intermediate certificate is not sent'

const texts: Record<string, string> = {
  ENOTFOUND: notPublic,
  EAI_AGAIN: notPublic,
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed without a response',
  EPIPE: 'the connection was closed without a response',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the host is unreachable',
  ETIMEDOUT: 'the host is unreachable',
  CERT_HAS_EXPIRED: 'the TLS certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the TLS certificate is not trusted: it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the TLS certificate is not trusted: its authority is unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: incomplete,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: incomplete,
  EPROTO: 'the TLS handshake failed',
}

/** The port of a webhook URL is one of another protocol. The message is public. */
class PortNotAllowed extends Error {
  override readonly name = 'PortNotAllowed'
}

/** Why there was no response, without addresses and host names. The message is public. `timeoutMs`: the time limit of the request. */
function describeFailure(err: unknown, timeoutMs: number): string {
  if (err instanceof UrlNotAllowed) return notPublic
  if (err instanceof PortNotAllowed) return err.message
  if (!(err instanceof Error)) return 'no response'
  if (err.name === 'TimeoutError') return `no response within ${timeoutMs / 1_000} s`
  const code = codeOf(err)
  if (code === 'HPE_HEADER_OVERFLOW') return 'the response headers are larger than 16 KiB'
  if (code.startsWith('HPE_')) return 'the response is not HTTP'
  return texts[code] ?? 'no response'
}

/** If several addresses were tried, the error of the first. */
function codeOf(err: Error & { code?: unknown }): string {
  const first = err instanceof AggregateError && err.errors[0] instanceof Error ? err.errors[0] : err
  return 'code' in first ? String(first.code) : ''
}

export interface Post {
  url: string
  headers: Record<string, string>
  /** Default: POST. */
  method?: string | undefined
  body: string | Uint8Array | StreamedBody
  allowPrivate: boolean
  /** The limit for name resolution, connection, request and response together. */
  timeoutMs: number
}

export type PostOutcome = { duration_ms: number } & (
  | {
      status: number
      retryAfter: string | undefined
      /** The beginning of the response body; absent if it is empty. */
      response?: string
    }
  | { /** Why there was no response. The message is public. */ error: string; response?: undefined }
)

/** Only the status counts, so that the rest of a longer response is not read. */
const maxResponseBytes = 16 * 1024
/** How much of the response body is recorded. */
const maxExcerptBytes = 1024

/**
 * Sends one request. Resolves after the timeout at the latest. Does not follow redirects. Rejects with BodyUnavailable if a streamed
 * body could not be read, also if it was waited for until the timeout: the receiver got a part of the request or nothing.
 */
export async function postOnce(post: Post): Promise<PostOutcome> {
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(post.timeoutMs)
  const duration_ms = () => Math.round(performance.now() - startedAt)
  using ended = new DisposableStack()
  const { body } = post
  if (isStreamed(body))
    ended.adopt(
      body.content.on('error', () => {}),
      (content) => void content.destroy(),
    )
  try {
    const url = new URL(post.url)
    assertAllowed(url)
    const addresses = await untilAborted(resolvePublic(url.hostname, post), timeout)
    const response = await exchange(url, post, addresses, timeout)
    return { ...response, duration_ms: duration_ms() }
  } catch (err) {
    if (err instanceof BodyUnavailable) throw err
    return {
      error: describeFailure(timeout.aborted ? timeout.reason : err, post.timeoutMs),
      duration_ms: duration_ms(),
    }
  }
}

function assertAllowed(url: URL): void {
  const { protocol, username, password, port } = url
  if (hasBlockedPort(url)) throw new PortNotAllowed(`port ${port} is one of another protocol`)
  if (protocol !== 'https:' && protocol !== 'http:') throw new UrlNotAllowed(`${protocol} is not http or https`)
  if (username || password) throw new UrlNotAllowed('the URL contains credentials')
}

type Answer = { status: number; retryAfter: string | undefined; response?: string }

function exchange(
  url: URL,
  { method = 'POST', headers, body }: Post,
  addresses: readonly ResolvedAddress[],
  timeout: AbortSignal,
) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method,
    headers: { ...headers, 'content-length': isStreamed(body) ? body.size : Buffer.byteLength(body) },
    // No keep-alive: an open connection may lead to an address that is no longer allowed.
    agent: false,
    lookup: pinnedLookup(addresses),
    rejectUnauthorized: true,
  })
  let streamed: ReturnType<typeof sendStreamed> | undefined
  const onTimeout = () => void request.destroy(streamed?.isLate() ? new BodyUnavailable() : timeout.reason)
  if (timeout.aborted) onTimeout()
  else timeout.addEventListener('abort', onTimeout, { once: true })
  let failure: unknown = new Error('closed without a response')
  request.on('error', (err) => {
    failure = err
  })
  request.on('close', () => {
    timeout.removeEventListener('abort', onTimeout)
    reject(failure)
  })
  request.on('response', (response) => {
    const result = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }
    let excerpt = Buffer.alloc(0)
    // The status is final. An error or timeout while the body is read does not change the outcome.
    request.prependListener('close', () =>
      resolve({ ...result, ...(excerpt.length > 0 && { response: textOf(excerpt) }) }),
    )
    response.on('error', () => {})
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      if (excerpt.length < maxExcerptBytes) excerpt = Buffer.concat([excerpt, chunk]).subarray(0, maxExcerptBytes)
      bytes += chunk.length
      if (bytes > maxResponseBytes) request.destroy()
    })
  })
  if (isStreamed(body)) streamed = sendStreamed(request, body)
  else request.end(body)
  return promise
}

const isStreamed = (body: Post['body']): body is StreamedBody => typeof body === 'object' && 'content' in body

/** What a terminal or a page would act on: all but tabs and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those that are left out
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** A character that was cut is left out. */
function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replace(controlCharacters, '')
}
