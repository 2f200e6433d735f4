import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { storeFile } from '@platen/event-store/adapters/sqlite/store-lock.ts'
import { FileLocked, lockFile } from '@platen/foundation/runtime/file-lock.ts'
import { makeFolders } from '@platen/foundation/runtime/make-folders.ts'
import { type DataFolder, objectCategories } from './data-folder.ts'
import { type BackedUpFile, eventsFile } from './manifest.ts'

export interface Places extends DataFolder {
  /** The folder with the objects of a category. */
  categoryPath: (category: string) => string
}

export function makeDataFolders({ dataDir, eventsPath, objectsPath }: DataFolder): void {
  for (const folder of [dataDir, dirname(eventsPath), objectsPath]) makeFolders(folder, 0o700)
}

/** The paths of the data, with links resolved: a restore replaces the target of a link, not the link. */
export function placesOf({ dataDir, eventsPath, objectsPath }: DataFolder): Places {
  const known = new Map<string, string>()
  const realObjectsPath = realFolder(objectsPath)
  const categoryPath = (category: string) => {
    const path = known.get(category) ?? realPath(join(realObjectsPath, category))
    known.set(category, path)
    return path
  }
  const realEventsPath = storeFile(join(realFolder(dirname(eventsPath)), basename(eventsPath)))
  return { dataDir: realFolder(dataDir), eventsPath: realEventsPath, objectsPath: realObjectsPath, categoryPath }
}

const realFolder = (path: string): string => (existsSync(path) ? realpathSync(path) : path)

/**
 * The path with links resolved, even if the target of a link does not exist: an interrupted restore may have moved it.
 */
function realPath(path: string): string {
  const place = storeFile(path)
  return join(realFolder(dirname(place)), basename(place))
}

/** Throws if `npm start` runs with the folder. */
export function lockNode(dataDir: string): Disposable {
  try {
    return lockFile(join(dataDir, 'lock.db'), 'exclusive')
  } catch (err) {
    if (!(err instanceof FileLocked)) throw err
    throw new Error(`Platen is running with ${dataDir}, as ${err.holder}; stop it first`, { cause: err })
  }
}

/** The paths of the event store and the objects, in a sentence. Paths in DATA_DIR are left out. */
export function describePlaces({ dataDir, eventsPath, objectsPath }: DataFolder): string {
  const outside = [eventsPath, objectsPath].map((path) => resolve(path)).filter((path) => dirname(path) !== dataDir)
  return outside.length === 0 ? dataDir : [...outside, `${dataDir} (the rest)`].join(', ')
}

/** The files that a restore writes: the passwords of a NATS server that is there remain those of its subscribers. */
export function restoredFiles({ dataDir }: DataFolder, files: readonly BackedUpFile[]): BackedUpFile[] {
  return files.filter(({ path }) => path !== 'nats.conf' || !existsSync(join(dataDir, path)))
}

/** All that is replaced, or removed because it is of other events. */
export async function pathsOf(data: Places, files: readonly BackedUpFile[]): Promise<string[]> {
  const { dataDir, eventsPath, objectsPath, categoryPath } = data
  const views = [join(dataDir, 'gateway'), join(dataDir, 'notifier')]
  const present = (await objectCategories(objectsPath)).map(categoryPath)
  const restored = files.map((file) => placeOf(file, data).path)
  return [...new Set([...views, ...present, ...restored, `${eventsPath}-wal`, `${eventsPath}-shm`])]
}

/** The path that a restored file replaces, and its name in it if that is a folder. Objects are replaced by category. */
export function placeOf({ path }: BackedUpFile, { dataDir, eventsPath, categoryPath }: Places) {
  const [, category, name] = /^objects\/([^/]+)\/([^/]+)$/.exec(path) ?? []
  if (category !== undefined && name !== undefined) return { path: categoryPath(category), name }
  return { path: path === eventsFile ? eventsPath : join(dataDir, path), name: '' }
}
