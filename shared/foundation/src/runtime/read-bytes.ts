/**
 * All bytes of a stream. `buffer` of `node:stream/consumers` makes a Blob of them first, which takes several times as long, and holds the
 * event loop for it.
 */
export async function readBytes(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}
