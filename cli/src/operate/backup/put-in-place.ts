import { existsSync } from 'node:fs'
import { chown, mkdir, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { replacementFile, stagingFolder } from '@platen/event-store/adapters/sqlite/store-lock.ts'
import { writePrivateFile } from '@platen/foundation/runtime/private-file.ts'
import { syncFolders, syncPath } from '@platen/foundation/runtime/sync-path.ts'

/** The path of a staged file, which will be renamed to `path`. It is beside `path`, and so on the same file system. */
export const stagedPath = (path: string): string => join(stagingFolder(path), basename(path))

/** A replacement that a restore has begun. */
interface Replacement {
  /** When it began. */
  began: string
  /** Whether something existed at each path; it is kept. */
  existed: Record<string, boolean>
}

/** Afterwards the paths can be staged. Removes what an interrupted restore has left. */
export async function beginStaging(paths: readonly string[]): Promise<void> {
  await removeStaged(paths)
  for (const folder of stagingFolders(paths)) await mkdir(folder, { mode: 0o700 })
}

/** Flushes the names of all staged files. */
export async function endStaging(paths: readonly string[]): Promise<void> {
  for (const folder of stagingFolders(paths)) {
    await giveToOwner(folder)
    await syncFolders(folder)
    await syncPath(dirname(folder))
  }
}

/** Restored by root, the files get the owner of the folder: the user of the services could not open them otherwise. */
async function giveToOwner(staging: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(staging))
  for await (const entry of await opendir(staging, { recursive: true }))
    await chown(join(entry.parentPath, entry.name), uid, gid)
}

export async function removeStaged(paths: readonly string[]): Promise<void> {
  for (const folder of stagingFolders(paths)) await rm(folder, { recursive: true, force: true })
}

const stagingFolders = (paths: readonly string[]): Set<string> => new Set(paths.map(stagingFolder))

/** Throws if a path cannot be renamed. */
export async function requireNoMounts(paths: readonly string[]): Promise<void> {
  const table = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  const mounts = new Set(table.split('\n').map((line) => line.split(' ')[4]))
  for (const path of paths) {
    if (!mounts.has(path)) continue
    throw new Error(`${path} is a mount of its own, and would be renamed; mount the folder above it, or unmount it`)
  }
}

/**
 * Replaces each path with the staged one, or with nothing, and moves the old one to a folder `replaced-<time>` beside
 * it. A marker file keeps the event store closed meanwhile, so that a restore that is interrupted at any step can be
 * run again after everything was staged again. Resolves with the folders of the replaced files.
 */
export async function putInPlace(
  eventsPath: string,
  paths: readonly string[],
  beforeLast: () => Promise<void>,
): Promise<string[]> {
  const record = replacementFile(eventsPath)
  const { began, existed } = await readReplacement(record)
  for (const path of paths) existed[path] ??= existsSync(path)
  await writePrivateFile(record, JSON.stringify({ began, existed } satisfies Replacement))

  const replaced = `replaced-${began.replace(/[:.]/g, '-')}`
  const keptAt = (path: string) => join(dirname(path), replaced, basename(path))
  for (const path of paths) {
    if (existed[path] && existsSync(path) && !existsSync(keptAt(path))) {
      await mkdir(dirname(keptAt(path)), { recursive: true, mode: 0o700 })
      await rename(path, keptAt(path))
    } else {
      // Files of an interrupted restore.
      await rm(path, { recursive: true, force: true })
    }
    if (existsSync(stagedPath(path))) await rename(stagedPath(path), path)
  }
  const folders = [...new Set(Object.keys(existed).map((path) => dirname(keptAt(path))))].filter(existsSync)
  await removeStaged(paths)
  for (const folder of [...folders, ...new Set(paths.map((path) => dirname(path)))]) await syncPath(folder)
  await beforeLast()
  await rm(record)
  await syncPath(dirname(record))
  return folders
}

async function readReplacement(record: string): Promise<Replacement> {
  if (!existsSync(record)) return { began: new Date().toISOString(), existed: {} }
  return JSON.parse(await readFile(record, 'utf8'))
}
