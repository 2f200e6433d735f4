import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** The client has closed the connection before the response was sent, so that no response is needed. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'
}

const signals = new WeakMap<ServerResponse, AbortSignal>()

/** Calls back when the response was sent or its client has left, at once if that was before. */
export function onClosed({ raw }: FastifyReply, end: () => void): void {
  if (raw.destroyed) end()
  else raw.once('close', end)
}

/** Aborts with ClientDisconnected when the client closes the connection before the response is sent. One signal for a reply. */
export function clientDisconnected(reply: FastifyReply): AbortSignal {
  const { raw } = reply
  const known = signals.get(raw)
  if (known) return known
  const disconnected = new AbortController()
  signals.set(raw, disconnected.signal)
  const abort = () => {
    if (!raw.writableFinished) disconnected.abort(new ClientDisconnected())
  }
  onClosed(reply, abort)
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
