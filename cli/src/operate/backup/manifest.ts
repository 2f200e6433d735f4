import { createReadStream, existsSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { writePrivateFile } from '@platen/foundation/runtime/private-file.ts'
import { type Content, contentOf, contentPath } from './content.ts'

const format = 'platen-backup-1'
const manifestName = 'backup.json'

/** The manifest of a backup. It is written last and replaced whole: what it names is in the folder. */
export interface Manifest {
  format: typeof format
  created_at: string
  events: number
  /** When the last event was recorded. */
  last_event_at?: string
  objects: number
  object_bytes: number
  /** The list of all files, as JSON lines. It is content, too. */
  list: Content
}

/** A line of the list. */
export interface BackedUpFile extends Content {
  /** `events.db`, `objects/<key>`, or a file of DATA_DIR. */
  path: string
  /** When the source was written, in milliseconds. A later backup copies an object that has another time or size. */
  modified_ms?: number
}

export interface Backup {
  manifest: Manifest
  files: BackedUpFile[]
}

/** Of DATA_DIR, beside the event store and the objects. */
export const backedUpFiles = ['signing-secret', 'nats.conf']

/** Whether a backup may have this path. Other files of a folder of objects are not Platen's. */
export const isBackupPath = (path: string): boolean => paths.test(path)

const paths = new RegExp(`^(events\\.db|${backedUpFiles.join('|')}|objects/[a-z]+/(?!\\.{1,2}$)[\\w.-]{1,200})$`)

/** Undefined if the folder has no whole backup. Throws if it is damaged, or not one of this version. */
export async function findBackup(folder: string): Promise<Backup | undefined> {
  const path = join(folder, manifestName)
  if (!existsSync(path)) return undefined
  const manifest = parse(await readFile(path, 'utf8')) as Partial<Manifest> | undefined
  if (manifest?.format !== format || manifest.list === undefined) {
    throw new Error(`${path} is not the manifest of a backup of this version`)
  }
  const list = contentPath(folder, manifest.list)
  const listed = { ...manifest.list, path: 'the list of files' }
  if (!existsSync(list)) throw missing(listed)
  requireEqual(await contentOf(list), listed)
  const files: BackedUpFile[] = []
  for await (const line of createInterface({ input: createReadStream(list) })) {
    const file: BackedUpFile = JSON.parse(line)
    if (!isBackupPath(file.path)) throw new Error(`${list} names the file ${file.path}, which no backup has`)
    files.push(file)
  }
  return { manifest: manifest as Manifest, files }
}

export function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  return writePrivateFile(join(folder, manifestName), `${JSON.stringify({ format, ...manifest }, undefined, 2)}\n`)
}

export async function writeList(path: string, files: readonly BackedUpFile[]): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (const entry of files) await file.write(`${JSON.stringify(entry)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Throws unless the content is what the manifest says. */
export function requireEqual(found: Content, expected: BackedUpFile): void {
  if (found.sha256 === expected.sha256 && found.size === expected.size) return
  throw damaged(expected, `has ${found.size} bytes and the SHA-256 ${found.sha256}`)
}

export const missing = (expected: BackedUpFile): Error => damaged(expected, 'is missing')

function damaged({ path, size, sha256 }: BackedUpFile, how: string): Error {
  const expected = `its manifest says ${size} bytes and the SHA-256 ${sha256}`
  return new Error(`the backup is damaged: ${path} ${how}; ${expected}. Nothing was changed`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
