import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes the folder's entries durable (fsync(2): flushing a file does not flush the name it has in its folder). */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Makes the folder and those above it, each durable by name. `path` is absolute. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) {
    // Perhaps just made by another process that has not flushed it yet. A parent we may not read was not made by us.
    return syncFolder(dirname(path)).catch((err) => {
      if (err.code !== 'EACCES') throw err
    })
  }
  const last = dirname(first)
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    await syncFolder(folder)
    if (folder === last) return
  }
}
