import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** The client has closed the connection before the response was sent, so that no response is needed. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'
}

const signals = new WeakMap<ServerResponse, AbortSignal>()

/** Aborts with ClientDisconnected when the client closes the connection before the response is sent. One signal for a reply. */
export function clientDisconnected({ raw }: FastifyReply): AbortSignal {
  const known = signals.get(raw)
  if (known) return known
  const disconnected = new AbortController()
  signals.set(raw, disconnected.signal)
  const abort = () => {
    if (!raw.writableFinished) disconnected.abort(new ClientDisconnected())
  }
  raw.once('close', abort)
  if (raw.destroyed) abort()
  return disconnected.signal
}

/**
 * Logs a warning if the object store breaks off a download after the headers were sent: the client sees only that its connection
 * ends.
 */
export function logBrokenDownload(
  body: Readable,
  reply: FastifyReply,
  download: { key: string; size: number },
): Readable {
  const { socket } = reply.raw
  const before = socket?.bytesWritten ?? 0
  return body.once('error', (err) => {
    const sent = (socket?.bytesWritten ?? 0) - before
    reply.log.warn({ err, ...download, sent }, 'download broke off: the object store did not send all of the file')
  })
}
