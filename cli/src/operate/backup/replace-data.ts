import { existsSync } from 'node:fs'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { takeStore } from '@platen/event-store/adapters/sqlite/store-lock.ts'
import { writePrivateFile } from '@platen/foundation/runtime/private-file.ts'
import { claimFile } from '@platen/service-kit/host/claim-file.ts'
import { type LastBackup, lastBackupKey, lastBackupText } from '@platen/service-kit/host/last-backup.ts'
import type { Progress } from '../../frame/progress.ts'
import { atOnce } from './at-once.ts'
import type { DataFolder } from './data-folder.ts'
import { type BackedUpFile, type Backup, requireEqual, requireUnchanged } from './manifest.ts'
import type { BackupPlace } from './place.ts'
import { lockNode, makeDataFolders, type Places, pathsOf, placeOf, placesOf, restoredFiles } from './places.ts'
import { beginStaging, endStaging, putInPlace, removeStaged, requireNoMounts, stagedPath } from './put-in-place.ts'

export interface Replacing {
  configured: DataFolder
  bar: Progress
  signal: AbortSignal
}

/**
 * Replaces the data with the backup, while no other process has them open. Resolves with the folders of the old data.
 */
export async function replaceData(source: BackupPlace, backup: Backup, { configured, bar, signal }: Replacing) {
  const { manifest, files } = backup
  using _bar = bar
  makeDataFolders(configured)
  const data = placesOf(configured)
  using _node = lockNode(data.dataDir)
  using _store = takeStore(data.eventsPath)
  const restored = restoredFiles(data, files)
  const paths = await pathsOf(data, restored)
  await requireNoMounts(paths)
  try {
    await beginStaging(paths)
    let staged = 0
    await atOnce(restored, async (file) => {
      signal.throwIfAborted()
      await stage(source, file, data)
      bar.at(++staged, restored.length)
    })
    await stageLastBackup(data, paths, { at: manifest.created_at, where: source.name })
    await endStaging(paths)
  } catch (err) {
    await removeStaged(paths)
    signal.throwIfAborted()
    await requireUnchanged(source, backup)
    throw err
  }
  return putInPlace(data.eventsPath, paths, async () => {
    // EVENTS has messages of the replaced event store, after which no relay could go on.
    await writePrivateFile(claimFile(data.dataDir), `${new Date().toISOString()}\n`)
  })
}

/** Records the restored backup as the last one. */
async function stageLastBackup(data: Places, paths: readonly string[], last: LastBackup): Promise<void> {
  const path = data.categoryPath(dirname(lastBackupKey))
  if (!paths.includes(path) || !existsSync(stagedPath(path))) return
  await writeFile(join(stagedPath(path), basename(lastBackupKey)), lastBackupText(last), { flush: true })
}

async function stage(source: BackupPlace, file: BackedUpFile, data: Places): Promise<void> {
  const { path, name } = placeOf(file, data)
  const staged = join(stagedPath(path), name)
  await mkdir(dirname(staged), { recursive: true })
  requireEqual(await source.copyTo(file, staged), file)
  // Retention counts from the time at which a file was written.
  const modified = file.modified_ms === undefined ? undefined : new Date(file.modified_ms)
  if (modified) await utimes(staged, modified, modified)
}
