import { existsSync, realpathSync } from 'node:fs'
import { mkdir, rm, utimes } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { storeFile, takeStore } from '@platen/event-store/adapters/sqlite/store-lock.ts'
import { FileLocked, lockFile } from '@platen/foundation/runtime/file-lock.ts'
import { writePrivateFile } from '@platen/foundation/runtime/private-file.ts'
import { adoptionFile } from '@platen/service-kit/host/adoption-file.ts'
import { defineCommand, one } from '../../frame/command.ts'
import type { Progress } from '../../frame/progress.ts'
import { adoptAll } from '../deployment/adopt-all.ts'
import { requireStopped } from '../relay/relay-holders.ts'
import { atOnce } from './at-once.ts'
import { lockBackup } from './backup-lock.ts'
import { contentPath, copyContent } from './content.ts'
import { type DataFolder, objectCategories, readDataFolder } from './data-folder.ts'
import { type BackedUpFile, type Backup, findBackup, missing, requireEqual } from './manifest.ts'
import { beginStaging, endStaging, putInPlace, removeStaged, requireNoMounts, stagedPath } from './put-in-place.ts'

export const restore = defineCommand({
  name: 'restore',
  argument: one('folder'),
  summary: 'put a backup of SQLite and a folder into DATA_DIR; Platen must be stopped',
  notes: [
    'Each file is compared with the manifest of the backup before anything is changed. What was interrupted is run again.',
    'For services in processes of their own set NATS_URL: it is also a `deployment adopt`. Delete the views in their other folders.',
    'What is replaced is moved to replaced-<time> beside it. nats/ stays, and with it the queue and EVENTS.',
    'The next start rebuilds the views, and publishes to EVENTS what is recorded from then on. Subscribers keep what they have seen.',
    'Erased documents are in older backups: run erase again with the receipts since then.',
  ],
  async run({ print, progress, signal, ...services }, { argument, json }) {
    const { env, openBus } = services
    const source = resolve(argument)
    process.umask(0o077)
    const configured = readDataFolder(env)
    using _backupLock = existsSync(source) ? lockBackup(source, 'shared') : undefined
    const backup = await findBackup(source)
    if (backup === undefined) {
      throw new Error(`there is no whole backup in ${source}: it has no backup.json, which is written last`)
    }
    // Services in processes of their own do not read the file of the adoption. Nothing is changed unless NATS answers.
    const bus = env.NATS_URL === undefined ? undefined : await openBus()
    if (bus) await requireStopped(bus)
    const { dataDir } = configured
    const replaced = await replaceData(source, backup, { configured, bar: progress('files'), signal })
    if (bus) {
      await adoptAll(services)
      await rm(adoptionFile(dataDir))
    }
    const { format: _, list: __, ...info } = backup.manifest
    if (json) return print(JSON.stringify({ ...info, replaced }))
    const { events, last_event_at, objects } = info
    print(`${events} events until ${last_event_at ?? 'none'} and ${objects} files are restored to ${dataDir}`)
    for (const folder of replaced) print(`what was there is in ${folder}; delete it when it is not needed any more`)
    if (!bus && !existsSync(join(dataDir, 'nats.conf')))
      print(`services in processes of their own need \`deployment adopt --yes\` first`)
    const queue =
      bus || existsSync(join(dataDir, 'nats'))
        ? 'Queued generations are still in the queue'
        : 'There is no queue here: what was queued has to be sent again'
    print(`start Platen now. ${queue}; what was recorded after the backup is lost`)
  },
})

interface Replacing {
  configured: DataFolder
  bar: Progress
  signal: AbortSignal
}

/** Nobody else has the data open meanwhile. Resolves with the folders of what was replaced. */
async function replaceData(source: string, { files }: Backup, { configured, bar, signal }: Replacing) {
  using _bar = bar
  const data = await existing(configured)
  using _node = lockNode(data.dataDir)
  using _store = takeStore(data.eventsPath)
  const isKept = (path: string) => path === 'nats.conf' && existsSync(join(data.dataDir, path))
  const restored = files.filter(({ path }) => !isKept(path))
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
    await endStaging(paths)
  } catch (err) {
    await removeStaged(paths)
    throw err
  }
  return putInPlace(data.eventsPath, paths, async () => {
    // EVENTS has messages of the replaced event store, after which no relay could go on.
    await writePrivateFile(adoptionFile(data.dataDir), `${new Date().toISOString()}\n`)
  })
}

interface Places extends DataFolder {
  /** The folder with the objects of a category. */
  categoryPath: (category: string) => string
}

/** The folders exist, and the paths are those of the files themselves: a link is not replaced, but what it names. */
async function existing(data: DataFolder): Promise<Places> {
  const { dataDir, eventsPath, objectsPath } = data
  const folders = [dataDir, dirname(eventsPath), objectsPath]
  for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 })
  const [realDataDir = '', eventsFolder = '', realObjectsPath = ''] = folders.map((folder) => realpathSync(folder))
  const realEventsPath = storeFile(join(eventsFolder, basename(eventsPath)))
  const known = new Map<string, string>()
  const categoryPath = (category: string) => {
    const path = known.get(category) ?? realPath(join(realObjectsPath, category))
    known.set(category, path)
    return path
  }
  return { dataDir: realDataDir, eventsPath: realEventsPath, objectsPath: realObjectsPath, categoryPath }
}

/** Also while there is nothing where a link leads: an interrupted restore has moved it away. */
function realPath(path: string): string {
  const place = storeFile(path)
  const folder = dirname(place)
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(place))
}

function lockNode(dataDir: string): Disposable {
  try {
    return lockFile(join(dataDir, 'lock.db'), 'exclusive')
  } catch (err) {
    if (!(err instanceof FileLocked)) throw err
    throw new Error(`Platen is running with ${dataDir}, as ${err.holder}; stop it first`, { cause: err })
  }
}

/** All that is replaced, or removed because it is of other events. */
async function pathsOf(data: Places, files: readonly BackedUpFile[]): Promise<string[]> {
  const { dataDir, eventsPath, objectsPath, categoryPath } = data
  const views = [join(dataDir, 'gateway'), join(dataDir, 'notifier')]
  const present = (await objectCategories(objectsPath)).map(categoryPath)
  const restored = files.map((file) => placeOf(file, data).path)
  return [...new Set([...views, ...present, ...restored, `${eventsPath}-wal`, `${eventsPath}-shm`])]
}

/** Where a file belongs: what is replaced, and the name in it if that is a folder. Objects are replaced by their category. */
function placeOf({ path }: BackedUpFile, { dataDir, eventsPath, categoryPath }: Places) {
  const [, category, name] = /^objects\/([^/]+)\/([^/]+)$/.exec(path) ?? []
  if (category !== undefined && name !== undefined) return { path: categoryPath(category), name }
  return { path: path === 'events.db' ? eventsPath : join(dataDir, path), name: '' }
}

async function stage(source: string, file: BackedUpFile, data: Places): Promise<void> {
  const { path, name } = placeOf(file, data)
  const staged = join(stagedPath(path), name)
  const content = contentPath(source, file)
  if (!existsSync(content)) throw missing(file)
  await mkdir(dirname(staged), { recursive: true })
  requireEqual(await copyContent(content, staged), file)
  // Retention counts from the time at which a file was written.
  const modified = file.modified_ms === undefined ? undefined : new Date(file.modified_ms)
  if (modified) await utimes(staged, modified, modified)
}
