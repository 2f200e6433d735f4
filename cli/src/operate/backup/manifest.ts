import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { Position } from '@platen/event-store/event-store.ts'
import { lastBackupKey } from '@platen/service-kit/host/last-backup.ts'
import { contentIn } from './content.ts'
import type { BackupPlace, Content } from './place.ts'

const format = 'platen-backup-1'

/** The manifest of a backup. It is written last and replaced whole: what it names is there. */
export interface Manifest {
  format: typeof format
  created_at: string
  /** Which Platen has made it. */
  platen_version: string
  /** The identity of the event store. */
  event_store: string
  events: number
  /** When the last event was recorded. */
  last_event_at?: string
  last_position?: Position
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

/** The files of DATA_DIR that are backed up beside the event store and the objects. */
export const backedUpFiles = ['signing-secret', 'nats.conf']
export const eventsFile = 'events.db'

export const isObject = ({ path }: BackedUpFile): boolean => path.startsWith('objects/')

/** The key of an object. */
export const keyOf = ({ path }: BackedUpFile): string => path.slice('objects/'.length)

/** Whether a backup may have this path. Other files of a folder of objects are not Platen's, or are about backups. */
export const isBackupPath = (path: string): boolean => paths.test(path) && !path.startsWith(`objects/${lastBackupKey}`)

const paths = new RegExp(`^(events\\.db|${backedUpFiles.join('|')}|objects/[a-z]+/(?!\\.{1,2}$)[\\w.-]{1,200})$`)

/** Undefined if there is no whole backup. Throws if its manifest or list is damaged, or not of this version. */
export async function findBackup(place: BackupPlace): Promise<Backup | undefined> {
  const text = await place.readManifest()
  if (text === undefined) return undefined
  const manifest = parse(text) as Partial<Manifest> | null | undefined
  if (manifest?.format !== format || !isContent(manifest.list)) {
    throw new Error(`${place.name} has a backup.json that is not the manifest of a backup of this version`)
  }
  const listed = { ...manifest.list, path: 'the list of files' }
  requireEqual(await contentAt(place, listed), listed)
  const files: BackedUpFile[] = []
  const list = await place.read(listed)
  for await (const line of createInterface({ input: list ?? Readable.from([]) })) {
    const file: BackedUpFile = JSON.parse(line)
    if (!isBackupPath(file.path)) throw new Error(`the backup names the file ${file.path}, which no backup has`)
    files.push(file)
  }
  return { manifest: manifest as Manifest, files }
}

/** The whole backup of a place. Throws if there is none. */
export async function requireBackup(place: BackupPlace): Promise<Backup> {
  const backup = await findBackup(place)
  if (backup) return backup
  throw new Error(`there is no whole backup in ${place.name}: it has no backup.json, which is written last`)
}

/** Throws if another backup has taken the place of this one since it was read: what only this one had is removed then. */
export async function requireUnchanged(place: BackupPlace, { manifest }: Backup): Promise<void> {
  const now = parse((await place.readManifest()) ?? '') as Partial<Manifest> | undefined
  if (now?.list?.sha256 === manifest.list.sha256 && now.created_at === manifest.created_at) return
  throw new Error(`a new backup was written to ${place.name} while this one was read: run this again`)
}

export const manifestText = (manifest: Omit<Manifest, 'format'>): string =>
  `${JSON.stringify({ format, ...manifest }, undefined, 2)}\n`

export async function writeList(path: string, files: readonly BackedUpFile[]): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (const entry of files) await file.write(`${JSON.stringify(entry)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The size and hash of the stored file. Undefined if it does not exist. */
export async function contentAt(place: BackupPlace, content: Content): Promise<Content | undefined> {
  const bytes = await place.read(content)
  return bytes && contentIn(bytes)
}

/** Why the stored file differs from the manifest; undefined if it does not. */
export function damageOf(found: Content | undefined, { size, sha256 }: Content): string | undefined {
  if (found?.sha256 === sha256 && found.size === size) return undefined
  const how = found ? `has ${found.size} bytes and the SHA-256 ${found.sha256}` : 'is missing'
  return `${how}; the manifest says ${size} bytes and the SHA-256 ${sha256}`
}

/** Throws unless the content is what the manifest says. */
export function requireEqual(found: Content | undefined, expected: BackedUpFile): void {
  const damage = damageOf(found, expected)
  if (damage !== undefined) throw new Error(`the backup is damaged: ${expected.path} ${damage}. Nothing was changed`)
}

/** Whether it says where to find bytes, and how many. */
function isContent(value: unknown): value is Content {
  const { size, sha256, parts = [] } = (value ?? {}) as Partial<Record<keyof Content, unknown>>
  const isHash = typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)
  return Number.isSafeInteger(size) && isHash && Array.isArray(parts) && parts.every(isContent)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
