import type { FastifyReply } from 'fastify'
import { onClosed } from '../http/errors/disconnects.ts'

/** What a client must take of a response, 28 kB a second, and more than the buffers on the way have. */
const least = { bytes: 8 * 2 ** 20, ms: 300_000 }

/**
 * Holds a place until the response was sent or its client has left. If the client takes so little of the response that others would wait
 * for its place, the connection ends.
 */
export function holdPlace(reply: FastifyReply, place: Disposable, { bytes, ms } = least): void {
  const { raw, log } = reply
  const sent = () => raw.socket?.bytesWritten ?? 0
  let before = sent()
  const look = setInterval(() => {
    const taken = sent() - before
    before += taken
    // Otherwise it is the source that is slow.
    if (taken >= bytes || !raw.writableNeedDrain) return
    log.warn({ taken, ms }, 'download ended: its client takes too little of it')
    raw.destroy()
  }, ms).unref()
  onClosed(reply, () => {
    clearInterval(look)
    place[Symbol.dispose]()
  })
}
