import type { Readable } from 'node:stream'

export interface MessageHandlers {
  maxBytes: number
  onMessage(message: Buffer): void
  /** Called with the first bytes of a message longer than `maxBytes`. */
  onTooLong(head: string): void
}

const headBytes = 256

/** Splits a stream into messages that end with NUL. Chunks are joined once for each message: large ones are not copied twice. */
export function readMessages(output: Readable, { maxBytes, onMessage, onTooLong }: MessageHandlers): void {
  let parts: Buffer[] = []
  let bytes = 0
  const add = (part: Buffer) => {
    bytes += part.length
    if (bytes <= maxBytes) parts.push(part)
    else if (parts.length > 1) parts = [Buffer.concat(parts).subarray(0, headBytes)]
  }
  const end = () => {
    const [first] = parts
    const message = parts.length === 1 && first ? first : Buffer.concat(parts)
    if (bytes > maxBytes) onTooLong(message.toString('latin1', 0, headBytes))
    else onMessage(message)
    parts = []
    bytes = 0
  }
  output.on('data', (chunk: Buffer) => {
    let start = 0
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, start)) {
      add(chunk.subarray(start, at))
      end()
      start = at + 1
    }
    if (start < chunk.length) add(chunk.subarray(start))
  })
}
