import type { FastifyReply } from 'fastify'

/** Aborts when the connection is gone before it has its answer. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}
