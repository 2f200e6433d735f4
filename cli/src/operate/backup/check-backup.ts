import type { ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import { type EventCopy, openEventCopy } from '@platen/event-store/adapters/sqlite/read-copy.ts'
import type { Progress } from '../../frame/progress.ts'
import { archivedObjects } from './archived-objects.ts'
import { atOnce } from './at-once.ts'
import { type BackedUpFile, type Backup, contentAt, damageOf, eventsFile, isObject, keyOf } from './manifest.ts'
import { type NamedObject, namedObjects } from './named-objects.ts'
import { openObject } from './open-object.ts'
import type { BackupPlace } from './place.ts'
import { type WhyGone, whyGone } from './why-gone.ts'

/**
 * `damaged`: the file differs from the manifest, and a restore refuses the backup. `differs`: the object store had
 * other bytes than the event says. The other kinds are files that were missing in the object store when the backup was
 * made.
 */
export type FindingKind = 'damaged' | 'differs' | WhyGone

export interface Finding {
  finding: FindingKind
  path: string
  problem: string
}

/** Findings that make a backup bad. */
export const faults: readonly FindingKind[] = ['damaged', 'differs', 'absent']

export interface Checking {
  retention: ObjectRetention
  /** Keys of objects that were deleted by `erase`. */
  erased: ReadonlySet<string>
  progress: (label: string) => Progress
  signal: AbortSignal
  onFinding: (finding: Finding) => void
}

/** Reads every byte of a backup, and compares it with its manifest and with what its events name. */
export async function checkBackup(place: BackupPlace, backup: Backup, checking: Checking): Promise<void> {
  await checkContent(place, backup, checking)
  checkCounts(backup, checking)
  await checkEvents(place, backup, checking)
}

async function checkContent(place: BackupPlace, { files }: Backup, { progress, signal, onFinding }: Checking) {
  using bar = progress('reading')
  let count = 0
  await atOnce(files, async (file) => {
    signal.throwIfAborted()
    const problem = damageOf(await contentAt(place, file), file)
    if (problem !== undefined) onFinding({ finding: 'damaged', path: file.path, problem })
    bar.at(++count, files.length)
  })
}

function checkCounts({ manifest, files }: Backup, { onFinding }: Checking): void {
  const objects = files.filter(isObject)
  const bytes = objects.reduce((sum, { size }) => sum + size, 0)
  if (objects.length === manifest.objects && bytes === manifest.object_bytes) return
  const problem = `it lists ${objects.length} files of ${bytes} bytes; the manifest says ${manifest.objects} of ${manifest.object_bytes}`
  onFinding({ finding: 'damaged', path: 'the list of files', problem })
}

async function checkEvents(place: BackupPlace, { manifest, files }: Backup, checking: Checking): Promise<void> {
  const { onFinding } = checking
  const damaged = (problem: string) => onFinding({ finding: 'damaged', path: eventsFile, problem })
  const listed = files.find(({ path }) => path === eventsFile)
  if (listed === undefined) return damaged('is not in the list of files')
  const path = await place.openFile(listed)
  if (path === undefined) return
  try {
    using events = openEventCopy(path)
    const log = events.check()
    if (log.events !== manifest.events) damaged(`has ${log.events} events; the manifest says ${manifest.events}`)
    if (log.lastPosition !== manifest.last_position) damaged('ends at another position than the manifest says')
    if (log.identity !== manifest.event_store) damaged('is another event store than the manifest says')
    await compareWithEvents(events, { place, manifest, files }, checking)
  } catch (err) {
    checking.signal.throwIfAborted()
    damaged(`cannot be read: ${(err as Error).message}`)
  }
}

async function compareWithEvents(
  events: EventCopy,
  { place, manifest, files }: Backup & { place: BackupPlace },
  checking: Checking,
): Promise<void> {
  const { retention, erased, progress, signal, onFinding } = checking
  const present = new Map(files.filter(isObject).map((file) => [keyOf(file), file]))
  const erasedInArchive = new Set<string>()
  const why = whyGone(events, { retention, erased, at: Date.parse(manifest.created_at), erasedInArchive })
  using bar = progress('events')
  let count = 0
  const check = (named: NamedObject) => {
    signal.throwIfAborted()
    bar.at(++count)
    const found = present.get(named.key)
    const problem = found && named.content && differenceOf(found, named.content)
    if (problem) onFinding({ finding: 'differs', path: `objects/${named.key}`, problem: `of ${named.of} ${problem}` })
    if (found) return
    const finding = why(named)
    onFinding({ finding, path: `objects/${named.key}`, problem: reasonOf(finding, named) })
  }
  for (const named of namedObjects(events)) check(named)
  const objects = { get: (key: string) => openObject(place, key, present) }
  for await (const named of archivedObjects(events, { objects, erased: erasedInArchive, signal })) check(named)
}

function reasonOf(finding: WhyGone, { of, kind, recordedAt }: NamedObject): string {
  const what = `of ${of}, recorded ${recordedAt.toISOString()}, is not in the backup`
  if (finding === 'erased') return `${what}: it was erased`
  if (finding === 'absent') return `${what}: it was lost or deleted before the backup was made`
  return `${what}: its retention (${kind === 'input' ? 'INPUT_RETENTION_DAYS' : 'PDF_RETENTION_DAYS'}) had ended`
}

function differenceOf(found: BackedUpFile, { size, sha256 }: { size: number; sha256: string }): string | undefined {
  if (found.size === size && found.sha256 === sha256) return undefined
  return `has ${found.size} bytes and the SHA-256 ${found.sha256}; its event says ${size} bytes and ${sha256}`
}
