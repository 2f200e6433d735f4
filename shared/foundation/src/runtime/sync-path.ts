import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Makes durable what a file contains, or the names of a folder's entries. Flushing a file does not flush its name, see fsync(2).
 */
export async function syncPath(path: string): Promise<void> {
  const opened = await open(path, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/** Makes durable the names of the entries of a folder, and of those of the folders in it. */
export async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncPath(join(folder, entry.name))
  }
  await syncPath(folder)
}
