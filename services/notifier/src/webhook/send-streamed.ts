import type { ClientRequest } from 'node:http'
import type { Readable } from 'node:stream'
import { BodyUnavailable } from './body-unavailable.ts'

/** A body that is read while it is sent. It is closed when the request has ended. */
export interface StreamedBody {
  /** In bytes. */
  size: number
  content: Readable
}

/**
 * Sends a body while it is read. If that fails, the request fails with BodyUnavailable: the receiver sees that it is not complete, as
 * there is less than its length says.
 */
export function sendStreamed(request: ClientRequest, { content }: StreamedBody): { isLate(): boolean } {
  const breakOff = (err: Error) => void request.destroy(new BodyUnavailable({ cause: err }))
  if (content.errored) breakOff(content.errored)
  content.once('error', breakOff)
  const startedAt = performance.now()
  let receiverMs = 0
  let fullSince: number | undefined
  const waitedForReceiver = () => receiverMs + (fullSince === undefined ? 0 : performance.now() - fullSince)
  // The pipe pauses the content while the buffer of the request is full, also until there is a connection.
  content.on('pause', () => {
    fullSince ??= performance.now()
  })
  request.on('drain', () => {
    receiverMs = waitedForReceiver()
    fullSince = undefined
  })
  content.pipe(request)
  return {
    /** Whether the content is not sent yet and was waited for longer than the receiver: each of them may be slow. */
    isLate: () => !content.readableEnded && waitedForReceiver() * 2 < performance.now() - startedAt,
  }
}
