import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

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
