import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { takeStore } from '@platen/event-store/adapters/sqlite/store-lock.ts'
import { requireStopped } from '@platen/service-kit/relay/relay-holders.ts'
import type { CommandContext } from '../../frame/command.ts'
import type { DataFolder } from './data-folder.ts'
import type { BackedUpFile, Backup } from './manifest.ts'
import type { BackupPlace } from './place.ts'
import { describePlaces, lockNode, type Places, pathsOf, placeOf, placesOf, restoredFiles } from './places.ts'
import { requireNoMounts } from './put-in-place.ts'
import { describe, reportBackup, summaryOf } from './verify.ts'

interface Trying {
  data: DataFolder
  context: CommandContext
  receipts: readonly string[]
  json: boolean
}

/** Says what a restore would do, and changes nothing. Resolves with whether it would succeed. */
export async function tryRestore(
  source: BackupPlace,
  backup: Backup,
  { data, ...reporting }: Trying,
): Promise<boolean> {
  const { context, json } = reporting
  const { print } = context
  const { isGood, ...found } = await reportBackup(source, backup, reporting)
  const places = placesOf(data)
  const files = restoredFiles(places, backup.files)
  const paths = await pathsOf(places, files)
  const replaced = paths.filter((path) => existsSync(path))
  const space = await spaceFor(files, places)
  const problems = await problemsOf(places, paths, context)
  for (const { folder, needed, free } of space) {
    if (needed > free) problems.push(`${folder} needs ${needed} bytes, and ${free} are free`)
  }
  const would = isGood && problems.length === 0
  if (json) {
    const info = {
      ...summaryOf(backup),
      ...found,
      dry_run: true,
      would_replace: replaced,
      space,
      problems,
      would_succeed: would,
    }
    print(JSON.stringify(info))
    return would
  }
  print(`${describe(summaryOf(backup))} would be restored to ${describePlaces(data)}`)
  for (const path of replaced) print(`${path} would be moved to replaced-<time> beside it`)
  for (const { folder, needed, free } of space) print(`${folder}: ${needed} bytes would be written, ${free} are free`)
  for (const problem of problems) print(`problem: ${problem}`)
  print(would ? 'nothing was changed; a restore would succeed' : 'nothing was changed; see the problems above')
  return would
}

/** Why a restore would be refused. */
async function problemsOf({ dataDir, eventsPath }: Places, paths: readonly string[], { env, openBus }: CommandContext) {
  const checks = [
    () => requireNoMounts(paths),
    // A lock that is not there would be made.
    () => void (existsSync(join(dataDir, 'lock.db')) && lockNode(dataDir)[Symbol.dispose]()),
    () => void (existsSync(`${eventsPath}.lock`) && takeStore(eventsPath)[Symbol.dispose]()),
    async () => void (env.NATS_URL !== undefined && (await requireStopped(await openBus()))),
  ]
  const problems: string[] = []
  for (const check of checks) {
    try {
      await check()
    } catch (err) {
      problems.push((err as Error).message)
    }
  }
  return problems
}

interface Space {
  folder: string
  /** Bytes. */
  needed: number
  free: number
}

/** The bytes that would be written on each disk. A file system that shares blocks needs less. */
async function spaceFor(files: readonly BackedUpFile[], places: Places): Promise<Space[]> {
  const bytes = new Map<string, number>()
  for (const file of files) {
    const folder = dirname(placeOf(file, places).path)
    bytes.set(folder, (bytes.get(folder) ?? 0) + file.size)
  }
  const disks = new Map<number, Space>()
  for (const [path, size] of bytes) {
    const folder = existingFolder(path)
    const { dev } = statSync(folder)
    const { bavail, bsize } = await statfs(folder)
    const disk = disks.get(dev) ?? { folder, needed: 0, free: bavail * bsize }
    disks.set(dev, { ...disk, needed: disk.needed + size })
  }
  return [...disks.values()]
}

const existingFolder = (path: string): string => (existsSync(path) ? path : existingFolder(dirname(path)))
