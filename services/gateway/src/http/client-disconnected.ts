import type { FastifyReply } from 'fastify'

/** The client has closed the connection before the response was sent. Nobody is to be told. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'
}

/** Aborts with ClientDisconnected when the client closes the connection before the response is sent. */
export function clientDisconnected({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController()
  const abort = () => {
    if (!raw.writableFinished) disconnected.abort(new ClientDisconnected())
  }
  raw.once('close', abort)
  if (raw.destroyed) abort()
  return disconnected.signal
}
