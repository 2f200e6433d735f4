import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, mkdir, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncPath } from '@platen/foundation/runtime/sync-path.ts'

/** What is in a file. */
export interface Content {
  /** Bytes. */
  size: number
  /** Hex. */
  sha256: string
}

/** Where a backup keeps content. No file there is ever changed, so the next backup cannot damage the one before. */
export const contentFolder = 'files'

export const contentPath = (folder: string, { sha256 }: Pick<Content, 'sha256'>): string =>
  join(folder, contentFolder, sha256.slice(0, 2), sha256)

/** Where content is written before its hash is known. Only one process writes to a backup, in several lanes at once. */
export const newContentPath = (folder: string, lane = 0): string => join(folder, contentFolder, `new-${lane}`)

export async function contentOf(path: string): Promise<Content> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) {
    hash.update(chunk)
    size += chunk.length
  }
  return { size, sha256: hash.digest('hex') }
}

/** Copies a file and flushes it. Resolves with what the copy has. */
export async function copyContent(from: string, to: string): Promise<Content> {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  await syncPath(to)
  return contentOf(to)
}

/** Moves what was written to `newContentPath` and flushed to its place. */
export async function keepContent(folder: string, content: Content, lane = 0): Promise<void> {
  const path = contentPath(folder, content)
  await mkdir(dirname(path), { recursive: true })
  await rename(newContentPath(folder, lane), path)
}

/** Whether the backup has the content, by its size. A file is in its place only if it is whole. */
export async function hasContent(folder: string, content: Content): Promise<boolean> {
  const found = await stat(contentPath(folder, content)).catch(() => undefined)
  return found?.size === content.size
}
