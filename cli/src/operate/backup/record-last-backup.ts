import { chown, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writePrivateFile } from '@platen/foundation/runtime/private-file.ts'
import { type LastBackup, lastBackupKey, lastBackupText } from '@platen/service-kit/host/last-backup.ts'

/**
 * Records the time in an object store that is a folder. It is written as a plain file: opening the store as root would
 * create folders that belong to root.
 */
export async function recordInFolder(objectsPath: string, backup: LastBackup): Promise<void> {
  const path = join(objectsPath, lastBackupKey)
  const { uid, gid } = await stat(objectsPath)
  await mkdir(dirname(path), { recursive: true })
  await writePrivateFile(path, lastBackupText(backup))
  // The services could not read what root has written.
  if (process.getuid?.() === 0) for (const one of [dirname(path), path]) await chown(one, uid, gid)
}
