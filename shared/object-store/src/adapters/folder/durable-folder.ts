import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolders } from '@platen/foundation/runtime/make-folders.ts'

/** Makes the names of the folder's entries durable. Flushing a file does not flush its name, see fsync(2). */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Creates a folder and its parents, and makes their names durable. `path` is absolute. */
export async function makeFolder(path: string): Promise<void> {
  const first = makeFolders(path)
  if (first === undefined) {
    // Another process may have created it without a flush yet. A parent that cannot be read was not created by us.
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
