import { closeSync, existsSync, openSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncPath } from './sync-path.ts'

/** Replaces the file atomically, durable when it resolves. Only its owner may read it, even if the earlier file had another mode. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  // A file that an interrupted start has left keeps its mode when it is opened again.
  await rm(`${path}.new`, { force: true })
  const file = await open(`${path}.new`, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  await syncPath(dirname(path))
}

/** Makes an empty file that only its owner may read, if there is none. SQLite gives its log and index the mode of the file. */
export function makePrivateFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
}
