import { setImmediate } from 'node:timers/promises'

/** What is copied before others have a turn of the event loop. */
const turnBytes = 4 * 2 ** 20

/**
 * All bytes of a stream. `buffer` of `node:stream/consumers` makes a Blob of them first, which takes several times as long, and holds the
 * event loop for it.
 */
export async function readBytes(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  return joinBytes(parts)
}

/** The parts in one buffer. Copying many megabytes takes turns with other work. */
export async function joinBytes(parts: readonly Uint8Array[]): Promise<Buffer> {
  const size = parts.reduce((sum, { byteLength }) => sum + byteLength, 0)
  if (size <= turnBytes) return Buffer.concat(parts)
  const joined = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const part of parts) {
    for (let start = 0; start < part.byteLength; ) {
      const room = turnBytes - (at % turnBytes)
      const piece = part.subarray(start, start + room)
      joined.set(piece, at)
      at += piece.byteLength
      start += piece.byteLength
      if (at % turnBytes === 0) await setImmediate()
    }
  }
  return joined
}
