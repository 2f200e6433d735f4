import { existsSync } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { generationOfInput, generationOfPdf } from '@platen/domain/streams/subjects.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Progress } from '../../frame/progress.ts'
import { atOnce } from './at-once.ts'
import { type DataFolder, objectCategories } from './data-folder.ts'
import { type BackedUpFile, isBackupPath } from './manifest.ts'
import type { BackupPlace } from './place.ts'

interface CopyingObjects {
  place: BackupPlace
  data: DataFolder
  /** The files of the backup before. */
  known: readonly BackedUpFile[]
  /** The generations whose content was erased. What is found of them is left out: a disk that lost power may have it back. */
  erased: ReadonlySet<string>
  bar: Progress
  signal: AbortSignal
}

/** Copies the objects. An object that is deleted in the meantime is left out. */
export async function copyObjects({ place, data, known, erased, bar, signal }: CopyingObjects) {
  using _bar = bar
  const before = new Map(known.map((file) => [file.path, file]))
  const objects: BackedUpFile[] = []
  let copied = 0
  await atOnce(objectPaths(data, erased), async (path, lane) => {
    signal.throwIfAborted()
    const source = sourcePath(data, path)
    const found = await sourceOf(source)
    if (found === undefined) return
    const unchanged = await unchangedSince(place, before.get(path), found)
    const content = unchanged ?? (await addIfExists(place, source, lane))
    if (content === undefined) return
    if (unchanged === undefined) copied += 1
    const { size, sha256, parts } = content
    objects.push({ path, size, sha256, ...defined({ parts }), modified_ms: found.modified_ms })
    bar.at(objects.length)
  })
  return { objects: objects.sort((one, other) => (one.path < other.path ? -1 : 1)), copied }
}

interface ChangedObjects {
  paths: Set<string>
  objects: number
  object_bytes: number
  /** Files that the previous backup did not have. */
  copied: number
  copied_bytes: number
}

/** Counts the files that `copyObjects` would copy. */
export async function countObjects({
  place,
  data,
  known,
  erased,
  bar,
  signal,
}: CopyingObjects): Promise<ChangedObjects> {
  using _bar = bar
  const before = new Map(known.map((file) => [file.path, file]))
  const counts = { paths: new Set<string>(), objects: 0, object_bytes: 0, copied: 0, copied_bytes: 0 }
  for await (const path of objectPaths(data, erased)) {
    signal.throwIfAborted()
    const found = await sourceOf(sourcePath(data, path))
    if (found === undefined) continue
    counts.paths.add(path)
    bar.at(++counts.objects)
    counts.object_bytes += found.size
    if (await unchangedSince(place, before.get(path), found)) continue
    counts.copied += 1
    counts.copied_bytes += found.size
  }
  return counts
}

const sourcePath = ({ objectsPath }: DataFolder, path: string) => join(objectsPath, path.slice('objects/'.length))

async function* objectPaths({ objectsPath }: DataFolder, erased: ReadonlySet<string>): AsyncGenerator<string> {
  for (const category of await objectCategories(objectsPath)) {
    // Snapshots of views are made again from the events.
    if (category === 'views') continue
    for await (const entry of await opendir(join(objectsPath, category))) {
      const key = `${category}/${entry.name}`
      const isErased = erased.has(generationOfPdf(key) ?? generationOfInput(key) ?? '')
      if (entry.isFile() && isBackupPath(`objects/${key}`) && !isErased) yield `objects/${key}`
    }
  }
}

interface Source {
  size: number
  modified_ms: number
}

const sourceOf = (path: string): Promise<Source | undefined> =>
  unlessGone(path, async () => {
    const { size, mtimeMs } = await stat(path)
    return { size, modified_ms: Math.round(mtimeMs) }
  })

/** The file of the backup before, if it is that of the source and its content is there. */
async function unchangedSince(place: BackupPlace, before: BackedUpFile | undefined, { size, modified_ms }: Source) {
  const isKnown = before !== undefined && before.size === size && before.modified_ms === modified_ms
  return isKnown && (await place.has(before)) ? before : undefined
}

const addIfExists = (place: BackupPlace, source: string, lane: number) =>
  unlessGone(source, () => place.add(source, lane))

async function unlessGone<Value>(path: string, work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work()
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(path)) return undefined
    throw err
  }
}
