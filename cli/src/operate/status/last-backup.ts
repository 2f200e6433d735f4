import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { readLastBackup } from '@platen/service-kit/host/last-backup.ts'
import type { LastBackup } from './status-report.ts'

/** Null if none is known. */
export async function findLastBackup(objects: ObjectStore): Promise<LastBackup | null> {
  const last = await readLastBackup(objects)
  if (last === undefined) return null
  return { ...last, age_s: Math.max(0, Math.round((Date.now() - Date.parse(last.at)) / 1_000)) }
}
