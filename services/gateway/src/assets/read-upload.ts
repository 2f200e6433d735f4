import { createHash } from 'node:crypto'
import { fail } from '@platen/domain/http/errors.ts'
import { joinBytes } from '@platen/foundation/runtime/read-bytes.ts'
import { type Arriving, receive } from '../http/bodies/receive.ts'

/** The body of a `PUT`. */
export interface Upload {
  bytes: Buffer
  /** Hash of the bytes, in hex. */
  sha256: string
}

/** Reads a body and hashes each part as it arrives, so that a large one does not hold the event loop. Throws what `receive` throws. */
export async function readUpload(body: Arriving, maxBytes: number): Promise<Upload> {
  const hash = createHash('sha256')
  const parts: Buffer[] = []
  const tooLarge = () => fail('PAYLOAD_TOO_LARGE', `An asset may have at most ${maxBytes / 2 ** 20} MiB`)
  for await (const part of receive(body, { maxBytes, tooLarge })) {
    hash.update(part)
    parts.push(part)
  }
  return { bytes: await joinBytes(parts), sha256: hash.digest('hex') }
}
