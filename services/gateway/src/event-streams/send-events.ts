import { Readable } from 'node:stream'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isStillAccepted } from '../api-keys/owner-of.ts'
import { clientDisconnected, onClosed } from '../http/errors/disconnects.ts'
import { releaseSlot } from '../limits/limit-work.ts'

/** The response of a route that sends events, in the OpenAPI document. */
export const eventStreamResponse = {
  description: 'The events.',
  content: { 'text/event-stream': { schema: { type: 'string' } as never } },
}

export interface EventStreamOptions {
  /** Given up when the connection ends. */
  place: Disposable
  /** When it aborts, open responses end. */
  stopping: AbortSignal
  /** Ends when the signal aborts. */
  events: (signal: AbortSignal) => AsyncIterable<string>
}

/** How long events are sent after a key was revoked, a session has ended, or an owner was disabled. */
const acceptedForMs = 2_000

/** Answers with server-sent events, for as long as the request would be accepted. */
export function sendEvents(request: FastifyRequest, reply: FastifyReply, options: EventStreamOptions): FastifyReply {
  const { place, stopping, events } = options
  const ended = new AbortController()
  const end = () => {
    place[Symbol.dispose]()
    ended.abort()
  }
  // The response to a HEAD ends without a disconnect.
  onClosed(reply, end)
  releaseSlot(request)
  const signal = AbortSignal.any([ended.signal, clientDisconnected(reply), stopping])
  void untilRefused(request, signal)
    .catch((err) => request.log.warn({ err }, 'events are not sent on: their API key cannot be looked up'))
    .finally(() => ended.abort())
  reply
    .header('content-type', 'text/event-stream')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
  return reply.send(request.method === 'HEAD' ? '' : Readable.from(events(signal)))
}

/** Resolves when the request would no longer be accepted, or when the signal aborts. */
async function untilRefused(request: FastifyRequest, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && isStillAccepted(request)) await sleep(acceptedForMs, signal)
}
