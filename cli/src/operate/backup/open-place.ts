import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { openS3Folder } from '@platen/object-store/adapters/open-object-store.ts'
import { objectStoreSettings } from '@platen/service-kit/host/backing-services.ts'
import { type CommandContext, readDataDir } from '../../frame/command.ts'
import { UsageError } from '../../frame/options.ts'
import { FolderPlace } from './folder-place.ts'
import type { BackupPlace } from './place.ts'
import { S3Place, s3Categories } from './s3-place.ts'

/** How a place is written on the command line. */
export const placeArgument = 'folder or s3 URL'

/** Notes of the verbs with a place as their argument. */
export const placeNotes = [
  's3://host:port/bucket/prefix?region=…&tls=…  with the keys in OBJECT_STORE_ACCESS_KEY and OBJECT_STORE_SECRET_KEY',
]

/** `plan` is that of a dry run: what would be written is not changed. */
type Use = 'read' | 'plan' | 'write'

/**
 * Opens the place that the argument of a verb names: a folder, or a prefix of a bucket. It is created only for writing.
 * Throws if this user cannot write to the folder.
 */
export async function openPlace(
  named: string,
  use: Use,
  context: Pick<CommandContext, 'env' | 'note' | 'signal'>,
): Promise<BackupPlace> {
  if (named.startsWith('s3:')) return openBucket(named, use, context)
  // A URL of another scheme would be taken for a path: a folder with the keys of the URL in its name would be created
  // here.
  if (/^\w+:\/\//.test(named)) throw new UsageError('a backup is in a folder, or at a URL that begins with s3://')
  const place = new FolderPlace(resolve(named))
  if (use !== 'read') place.requireWritable()
  if (use === 'write') await place.create()
  return place
}

async function openBucket(
  url: string,
  use: Use,
  { env, note, signal }: Pick<CommandContext, 'env' | 'note' | 'signal'>,
): Promise<BackupPlace> {
  const { publicUrl: _, ...keys } = readConfig(env, (settings) => settings.read(objectStoreSettings))
  const dataDir = readConfig(env, readDataDir)
  try {
    const store = await openS3Folder(url, { ...keys, categories: s3Categories, isReadOnly: use !== 'write' })
    const lockPath = existsSync(dataDir) ? join(dataDir, 'backup.lock') : undefined
    return new S3Place({ store, name: withoutKeys(url), lockPath, note, signal })
  } catch (err) {
    // The adapter names the setting of the deployment; here the URL of the backup is wrong.
    throw new Error((err as Error).message.replaceAll('OBJECT_STORE_URL', 'the URL of the backup'), { cause: err })
  }
}

function withoutKeys(text: string): string {
  const { host, pathname } = new URL(text)
  return `s3://${host}${pathname.replace(/\/$/, '')}`
}
