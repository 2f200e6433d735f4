import { dirname } from 'node:path'
import { makeFolders } from '@platen/foundation/runtime/make-folders.ts'
import { syncPath } from '@platen/foundation/runtime/sync-path.ts'

/** Creates a folder and its parents, and makes their names durable. `path` is absolute. */
export async function makeFolder(path: string): Promise<void> {
  const first = makeFolders(path)
  if (first === undefined) {
    // Another process may have created it without a flush yet. A parent that cannot be read was not created by us.
    return syncPath(dirname(path)).catch((err) => {
      if (err.code !== 'EACCES') throw err
    })
  }
  const last = dirname(first)
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    await syncPath(folder)
    if (folder === last) return
  }
}
