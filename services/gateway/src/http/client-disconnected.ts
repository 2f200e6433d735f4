import type { FastifyReply } from 'fastify'

/** Aborts when the client closes the connection before the response is sent. */
export function clientDisconnected({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) disconnected.abort()
  })
  if (raw.destroyed && !raw.writableFinished) disconnected.abort()
  return disconnected.signal
}
