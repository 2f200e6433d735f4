import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { type FileHandle, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makePrivateFile } from '@platen/foundation/runtime/private-file.ts'
import { syncPath } from '@platen/foundation/runtime/sync-path.ts'
import { removeDatabase } from '@platen/service-kit/projections/prepared-view.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('write-back-process.ts', import.meta.url))

// To flush a file of some gigabytes takes a disk longer than all else of a start. So the views are used before that. Until it is done there is a
// mark beside them: after a power failure the file may lack pages, which SQLite would not notice.

const markPath = (path: string) => `${path}.unflushed`

/** To be called before the file of the views is put in place. Durable when it resolves. */
export async function markUnflushed(path: string): Promise<void> {
  makePrivateFile(markPath(path))
  await syncPath(dirname(path))
}

/** To be called if there are no views in place that are not flushed. */
export function unmark(path: string): void {
  rmSync(markPath(path), { force: true })
}

/** Removes views that may not be whole. They are not in use. */
export function removeUnflushed(path: string): void {
  if (!existsSync(markPath(path))) return
  removeDatabase(path)
  unmark(path)
}

/** A gateway writes as much back by itself, in a moment. */
const smallLogBytes = 16 * 2 ** 20

/** Makes durable the views in place, and closes their file. The mark stays if that fails. */
export async function flushViews(path: string, file: FileHandle): Promise<void> {
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  await syncPath(dirname(path))
  await rm(markPath(path), { force: true })
  await writeBack(path)
}

/** Writes what was changed meanwhile from the write-ahead log to the file, in another process: requests do not wait for it. */
async function writeBack(path: string): Promise<void> {
  const log = await stat(`${path}-wal`).catch(() => undefined)
  if (log === undefined || log.size < smallLogBytes) return
  // The gateway does it if the process fails.
  await run(process.execPath, [program, path], { env: {} }).catch(() => {})
}
