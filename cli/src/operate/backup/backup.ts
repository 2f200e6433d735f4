import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import { defineCommand, one } from '../../frame/command.ts'
import { requireEventStore } from '../../frame/open-services.ts'
import type { Progress } from '../../frame/progress.ts'
import { type BackupInfo, backedUpFiles, backupInfoName, checkEvents, readDataFolder } from './data-folder.ts'

const pagesAtOnce = 1_000

export const backup = defineCommand({
  name: 'backup',
  argument: one('folder'),
  summary: 'back up a SQLite event store, the files and the signing secret of DATA_DIR, while Platen is running or not',
  notes: [
    '<folder>  is created. A second backup into it copies only new files.',
    'The queue (NATS) is not part of a backup: what is queued at the time of a loss has to be sent again.',
    'The backup contains all documents and the signing secret: keep it as safe as DATA_DIR.',
  ],
  async run({ env, print, progress, signal }, { argument, json }) {
    const target = resolve(argument)
    const { dataDir, eventsPath, objectsPath } = readDataFolder(env)
    requireEventStore(`sqlite:${eventsPath}`)
    // The folder may have been made by somebody else, such as a volume that every user can read.
    process.umask(0o077)
    await mkdir(join(target, 'objects'), { recursive: true, mode: 0o700 })

    // Events first: every file that they name exists by then.
    const copy = join(target, 'events.db.new')
    await rm(copy, { force: true })
    {
      using bar = progress('event store')
      const source = new DatabaseSync(eventsPath, { readOnly: true })
      try {
        await copyDatabase(source, copy, {
          rate: pagesAtOnce,
          progress: ({ totalPages, remainingPages }) => bar.at(totalPages - remainingPages, totalPages),
        })
      } finally {
        source.close()
      }
    }
    const { events, lastAt } = checkEvents(copy)
    for (const suffix of ['-wal', '-shm']) await rm(`${copy}${suffix}`, { force: true })
    await rename(copy, join(target, 'events.db'))

    using bar = progress('files')
    const copied = await copyFolder(objectsPath, join(target, 'objects'), bar, signal)
    for (const name of backedUpFiles) {
      if (existsSync(join(dataDir, name))) await copyFile(join(dataDir, name), join(target, name))
    }
    signal.throwIfAborted()
    const info: BackupInfo = {
      created_at: new Date().toISOString(),
      events,
      ...(lastAt !== undefined && { last_event_at: lastAt }),
      objects: copied.count,
      object_bytes: copied.bytes,
    }
    await writeFile(join(target, backupInfoName), `${JSON.stringify(info, undefined, 2)}\n`)
    if (json) print(JSON.stringify({ folder: target, ...info }))
    else print(`${events} events and ${copied.count} files (${copied.bytes} bytes) in ${target}; checked`)
  },
})

/** Copies what the target has not: a file is never changed. A file that is deleted meanwhile is left out. */
export async function copyFolder(
  from: string,
  to: string,
  bar: Progress,
  signal: AbortSignal,
): Promise<{ count: number; bytes: number }> {
  const total = { count: 0, bytes: 0 }
  if (!existsSync(from)) return total
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    signal.throwIfAborted()
    const source = join(entry.parentPath, entry.name)
    const target = join(to, source.slice(from.length))
    if (entry.isDirectory()) await mkdir(target, { recursive: true })
    if (!entry.isFile()) continue
    const info = await stat(source).catch(() => undefined)
    if (info === undefined) continue
    const known = await stat(target).catch(() => undefined)
    if (known?.size !== info.size) {
      await mkdir(join(target, '..'), { recursive: true })
      const isCopied = await copyFile(source, target, constants.COPYFILE_FICLONE).then(
        () => true,
        (err) => {
          if (err.code !== 'ENOENT') throw err
          return false
        },
      )
      if (!isCopied) continue
    }
    total.count += 1
    total.bytes += info.size
    bar.at(total.count)
  }
  return total
}
