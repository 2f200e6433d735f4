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
  /** How long a body may pause, and all of its pauses that bytes have not made up for. Default: 5 s. */
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
  let patienceMs = graceMs
  try {
    for (;;) {
      const since = performance.now()
      const next = nextOf(body, chunks)
      const { done, value } = await (expected === undefined ? next : within(patienceMs, next))
      if (done) return
      const madeUpMs = (slowestMs * value.length) / Math.max(1, expected ?? 0)
      patienceMs = Math.min(graceMs, patienceMs - (performance.now() - since) + madeUpMs)
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

/** Calls back when nothing of a body arrives any more: it is read, or its connection has ended, at the latest by `endAfterResponse`. */
export function whenOver(body: IncomingMessage, then: () => void): void {
  // `inject` of tests has no such field.
  if (body.complete !== false || body.destroyed) {
    then()
    return
  }
  const over = () => {
    body.off('close', over)
    body.socket.off('close', over)
    then()
  }
  // After its response, Node does not close a request with its connection.
  body.once('close', over)
  body.socket.once('close', over)
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
