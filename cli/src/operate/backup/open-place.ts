import { resolve } from 'node:path'
import { FolderPlace } from './folder-place.ts'
import type { BackupPlace } from './place.ts'

/** What the argument of a verb names. It is made if it is to be written. */
export async function openPlace(named: string, use: 'read' | 'write'): Promise<BackupPlace> {
  const place = new FolderPlace(resolve(named))
  if (use === 'write') await place.create()
  return place
}
