import type { Readable } from 'node:stream'

export interface MessageReader {
  /** Longer messages are passed over: of these only the first bytes are told. */
  maxBytes: number
  take(message: string): void
  tooLong(head: string): void
}

const headBytes = 256

/** Splits what comes at its NUL bytes. Chunks are joined once a message, so that a large one is not copied over and over. */
export function readMessages(output: Readable, { maxBytes, take, tooLong }: MessageReader): void {
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
    if (bytes > maxBytes) tooLong(message.toString('latin1', 0, headBytes))
    else take(message.toString('utf8'))
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
