import type { Readable } from 'node:stream'
import { ObjectNotFound } from '@platen/object-store/object-store.ts'
import type { BackedUpFile } from './manifest.ts'
import type { BackupPlace } from './place.ts'

/** Reads an object from a backup with these files, by their keys. Throws ObjectNotFound. */
export async function openObject(
  place: Pick<BackupPlace, 'read'>,
  key: string,
  files: ReadonlyMap<string, BackedUpFile>,
): Promise<Readable> {
  const file = files.get(key)
  const content = file && (await place.read(file))
  if (!content) throw new ObjectNotFound(key)
  return content
}
