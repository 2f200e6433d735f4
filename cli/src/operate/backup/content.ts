import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { syncPath } from '@platen/foundation/runtime/sync-path.ts'
import type { Content } from './place.ts'

/** The hash and size of a stream of bytes. */
export function contentHash() {
  const hash = createHash('sha256')
  let size = 0
  return {
    update(bytes: Uint8Array) {
      hash.update(bytes)
      size += bytes.length
    },
    digest: (): Content => ({ size, sha256: hash.digest('hex') }),
  }
}

export async function contentIn(chunks: AsyncIterable<Uint8Array>): Promise<Content> {
  const hash = contentHash()
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest()
}

export const contentOf = (path: string): Promise<Content> =>
  contentIn(createReadStream(path, { highWaterMark: 2 ** 20 }))

/** Copies a file and flushes it. Resolves with what the copy has. */
export async function copyContent(from: string, to: string): Promise<Content> {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  await syncPath(to)
  return contentOf(to)
}
