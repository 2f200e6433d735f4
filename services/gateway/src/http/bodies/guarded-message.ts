import { IncomingMessage, type ServerResponse } from 'node:http'

/** A body may have so many pieces, and then one for so many of its bytes: lines of a batch may be sent one by one. */
const freePieces = 1_000
const bytesOfPiece = 64
/**
 * What is read of a body after its response: many clients look at that only when they have sent all. Chunks have a bound of their own, as
 * Node handles each by itself.
 */
const restBytes = { whole: 64 * 2 ** 20, chunked: 2 ** 20 }
const restMs = 2_000
const lookEveryMs = 20

/**
 * A request. Its connection is closed when its body comes in a mass of tiny pieces (`Transfer-Encoding: chunked`): Node makes an object
 * of each, and reads up to 65,536 of them in one turn of the event loop.
 */
export class GuardedMessage extends IncomingMessage {
  #bytes = 0
  #pieces = 0

  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    if (piece === null) return super.push(piece, encoding)
    if (this.destroyed) return false
    this.#bytes += piece.length
    this.#pieces += 1
    if (this.#pieces <= freePieces + this.#bytes / bytesOfPiece) return super.push(piece, encoding)
    this.destroy()
    return false
  }
}

/** After its response, the rest of a body is read for a moment only. Then the connection is closed. */
export function endAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return
    const { socket, headers } = request
    const most = socket.bytesRead + restBytes[headers['transfer-encoding'] === undefined ? 'whole' : 'chunked']
    const until = performance.now() + restMs
    const looking = setInterval(() => {
      if (!request.complete && socket.bytesRead <= most && performance.now() <= until) return
      clearInterval(looking)
      if (!request.complete) socket.destroy()
    }, lookEveryMs).unref()
  })
}
