import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { DomainError, fail } from '@platen/domain/http/errors.ts'

/** A body that arrives: a request, or a stream of a test. */
export type Arriving = Readable & { headers?: IncomingHttpHeaders }

export interface ReceiveLimits {
  maxBytes: number
  /** Throws PAYLOAD_TOO_LARGE. */
  tooLarge: () => never
  /** What a body of unknown length is taken for. Default: it may arrive as slowly as it likes. */
  expectedBytes?: number
  /** A body is waited for this long before its rate counts. Default: 5 s. */
  graceMs?: number
}

/** At this rate a body would arrive in twice the time that a request may take. */
const slowestMs = 120_000

/**
 * Yields a body as it arrives, in the pieces of its socket. Throws PAYLOAD_TOO_LARGE at the limit, REQUEST_TIMEOUT for a client that
 * sends so slowly that others would wait for its place, and INVALID_REQUEST if it aborts.
 */
export async function* receive(
  body: Arriving,
  { maxBytes, tooLarge, expectedBytes, graceMs = 5_000 }: ReceiveLimits,
): AsyncGenerator<Buffer> {
  const { 'content-length': length } = body.headers ?? {}
  if (Number(length) > maxBytes) tooLarge()
  const expected = length === undefined ? expectedBytes : Number(length)
  // The stream is left open: to destroy it would close the connection before the error is sent.
  const chunks = body.iterator({ destroyOnReturn: false })
  let size = 0
  let waitedMs = 0
  try {
    for (;;) {
      const since = performance.now()
      const next = nextOf(body, chunks)
      const patienceMs = Math.max(graceMs, (slowestMs * size) / Math.max(1, expected ?? 0))
      const { done, value } = await (expected === undefined ? next : within(patienceMs - waitedMs, next))
      waitedMs += performance.now() - since
      if (done) return
      size += value.length
      if (size > maxBytes) tooLarge()
      yield value
    }
  } finally {
    // What comes after a refusal is dropped, so that a connection that stays open gets to its next request. Not awaited: a client that
    // is too slow is still read from.
    void chunks.return?.().then(() => body.resume())
  }
}

/** How long the rest of a refused body is waited for. A slower client no longer delays others. */
const restMs = 2_000

/** Calls back when nothing of a body arrives any more: it is read, was dropped after a refusal, or its connection has ended. */
export function whenOver(body: IncomingMessage, then: () => void): void {
  // `inject` of tests has no such field.
  const isOver = body.complete !== false || body.destroyed
  if (isOver) then()
  else {
    const late = setTimeout(then, restMs).unref()
    body.once('close', () => {
      clearTimeout(late)
      then()
    })
  }
}

async function nextOf(body: Arriving, chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
  try {
    return await chunks.next()
  } catch (err) {
    if (!body.errored) throw err
    return fail('INVALID_REQUEST', 'The connection was closed before the request body was complete')
  }
}

async function within<Result>(ms: number, next: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const refusal = () => new DomainError('REQUEST_TIMEOUT', 'The request body arrives too slowly')
  // If this process was blocked, bytes may have arrived unread: the event loop gets one more turn.
  const timer = setTimeout(() => setImmediate(() => late.reject(refusal())), ms)
  // What comes after the refusal is for nobody.
  next.catch(() => {})
  try {
    return await Promise.race([next, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
