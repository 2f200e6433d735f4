import { open } from 'node:fs/promises'

/** Makes the names of the folder's entries durable. Flushing a file does not flush its name, see fsync(2). */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
