import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { fail } from '@platen/domain/http/errors.ts'

/** The body of a `PUT`. */
export interface Upload {
  bytes: Buffer
  /** Hash of the bytes, in hex. */
  sha256: string
}

/**
 * Reads a body and hashes each part as it arrives, so that a large one does not hold the event loop. Throws
 * PAYLOAD_TOO_LARGE when the limit is passed, and INVALID_REQUEST if the client aborts.
 */
export async function readUpload(body: Readable, maxBytes: number): Promise<Upload> {
  const hash = createHash('sha256')
  const parts: Buffer[] = []
  let size = 0
  // The stream is left open: to destroy it would close the connection before the error is sent.
  const chunks = body.iterator({ destroyOnReturn: false })
  try {
    for await (const part of chunks) {
      size += part.length
      if (size > maxBytes) fail('PAYLOAD_TOO_LARGE', `An asset may have at most ${maxBytes / 2 ** 20} MiB`)
      hash.update(part)
      parts.push(part)
    }
  } catch (err) {
    if (!body.errored) throw err
    fail('INVALID_REQUEST', 'The connection was closed before the request body was complete')
  }
  return { bytes: Buffer.concat(parts, size), sha256: hash.digest('hex') }
}
