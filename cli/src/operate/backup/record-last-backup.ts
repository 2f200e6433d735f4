import { chown, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writePrivateFile } from '@platen/foundation/runtime/private-file.ts'
import { type LastBackup, lastBackupKey, lastBackupText } from '@platen/service-kit/host/last-backup.ts'

/** In an object store that is a folder. Written as a file: to open the store as root would make folders that belong to root. */
export async function recordInFolder(objectsPath: string, backup: LastBackup): Promise<void> {
  const path = join(objectsPath, lastBackupKey)
  const { uid, gid } = await stat(objectsPath)
  await mkdir(dirname(path), { recursive: true })
  await writePrivateFile(path, lastBackupText(backup))
  // The services could not read what root has written.
  if (process.getuid?.() === 0) for (const one of [dirname(path), path]) await chown(one, uid, gid)
}
