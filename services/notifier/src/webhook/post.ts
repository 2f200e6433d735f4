import http from 'node:http'
import https from 'node:https'
import { pinnedLookup } from '@platen/shared/net/pinned-lookup.ts'
import { type ResolvedAddress, resolvePublic, UrlNotAllowed } from '@platen/shared/net/public-address.ts'
import { untilAborted } from '@platen/shared/runtime/until-aborted.ts'
import { describeFailure } from './post-failure.ts'

export interface Post {
  url: string
  headers: Record<string, string>
  body: string
  allowPrivate: boolean
  /** For all of it: name, connection, headers and body. */
  timeoutMs: number
}

export type PostOutcome = { duration_ms: number } & (
  | { status: number; retryAfter: string | undefined }
  | { /** For people; tells nothing about the network we are in. */ error: string }
)

/** More of an answer is never read: what counts is its status. */
const maxAnswerBytes = 16 * 1024

/** One attempt: it always settles, at the latest when its time is up. Redirects are answers like any other. */
export async function postOnce(post: Post): Promise<PostOutcome> {
  const startedAt = performance.now()
  const timeUp = AbortSignal.timeout(post.timeoutMs)
  const duration_ms = () => Math.round(performance.now() - startedAt)
  try {
    const url = new URL(post.url)
    assertAllowed(url)
    const addresses = await untilAborted(resolvePublic(url.hostname, post), timeUp)
    const answer = await exchange(url, post, addresses, timeUp)
    return { ...answer, duration_ms: duration_ms() }
  } catch (err) {
    return { error: describeFailure(timeUp.aborted ? timeUp.reason : err), duration_ms: duration_ms() }
  }
}

function assertAllowed({ protocol, username, password }: URL): void {
  if (protocol !== 'https:' && protocol !== 'http:') throw new UrlNotAllowed(`not http or https: ${protocol}`)
  if (username || password) throw new UrlNotAllowed('holds credentials')
}

function exchange(url: URL, { headers, body }: Post, addresses: readonly ResolvedAddress[], timeUp: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; retryAfter: string | undefined }>()
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    // A connection of its own: one that is kept could lead to an address that was right an hour ago.
    agent: false,
    lookup: pinnedLookup(addresses),
    signal: timeUp,
    rejectUnauthorized: true,
  })
  let failure: unknown = new Error('closed without an answer')
  request.on('error', (err) => {
    failure = err
  })
  request.on('close', () => reject(failure))
  request.on('response', (response) => {
    const answer = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }
    // The status has been said: what becomes of the body, be it an end of our patience, takes nothing back.
    request.prependListener('close', () => resolve(answer))
    response.on('error', () => {})
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxAnswerBytes) request.destroy()
    })
  })
  request.end(body)
  return promise
}
