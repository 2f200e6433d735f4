import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isStillAccepted } from '../api-keys/authentication.ts'
import { clientDisconnected } from '../http/errors/disconnects.ts'
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

/** So long after its key was revoked, or its session has ended, a response goes on. */
const lookEveryMs = 5_000

/** Answers with server-sent events, as long as the key of the request is accepted. */
export function sendEvents(request: FastifyRequest, reply: FastifyReply, options: EventStreamOptions): FastifyReply {
  const { place, stopping, events } = options
  const ended = new AbortController()
  const looking = setInterval(() => {
    if (!isStillAccepted(request)) end()
  }, lookEveryMs)
  const end = () => {
    clearInterval(looking)
    place[Symbol.dispose]()
    ended.abort()
  }
  // The response to a HEAD ends without a disconnect.
  if (reply.raw.destroyed) end()
  else reply.raw.once('close', end)
  releaseSlot(request)
  const signal = AbortSignal.any([ended.signal, clientDisconnected(reply), stopping])
  reply
    .header('content-type', 'text/event-stream')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
  return reply.send(request.method === 'HEAD' ? '' : Readable.from(events(signal)))
}
