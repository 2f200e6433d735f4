import { existsSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Environment, readConfig } from '@platen/foundation/settings/config.ts'
import { readDataDir } from '../../frame/command.ts'
import { readEventStoreUrl, readObjectStoreUrl } from '../../frame/open-services.ts'

/** The files of a single node that a backup has. */
export interface DataFolder {
  dataDir: string
  eventsPath: string
  objectsPath: string
}

/**
 * The folders of the data. Throws if the deployment keeps data elsewhere than in files of this machine, with what to
 * use instead.
 */
export function readDataFolder(env: Environment): DataFolder {
  const { dataDir, eventStoreUrl, objectStoreUrl } = readConfig(env, (settings) => ({
    dataDir: readDataDir(settings),
    eventStoreUrl: readEventStoreUrl(settings),
    objectStoreUrl: readObjectStoreUrl(settings),
  }))
  if (!eventStoreUrl.startsWith('sqlite:') || !objectStoreUrl.startsWith('file:')) {
    throw new Error(
      'this backs up a SQLite event store and a folder; use the backup of your EventStoreDB and of your S3, the event store first',
    )
  }
  return {
    dataDir,
    eventsPath: eventStoreUrl.slice('sqlite:'.length),
    objectsPath: objectStoreUrl.slice('file:'.length),
  }
}

/** The folders of the object store that have objects. A link may lead to a folder on another disk. */
export async function objectCategories(objectsPath: string): Promise<string[]> {
  if (!existsSync(objectsPath)) return []
  const names = (await readdir(objectsPath)).filter((name) => /^[a-z]+$/.test(name))
  const isFolder = (name: string) => statSync(join(objectsPath, name), { throwIfNoEntry: false })?.isDirectory()
  return names.filter(isFolder)
}
