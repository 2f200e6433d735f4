import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { allScopes } from '@platen/domain/api-key/api-key.ts'
import { issueApiKey, newApiKey } from '@platen/domain/api-key/api-keys.ts'
import { eventCatalogue } from '@platen/domain/catalogue/event-catalogue.ts'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { claimEventStore } from '@platen/event-store/adapters/claim-event-store.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { openEventCopy } from '@platen/event-store/adapters/sqlite/read-copy.ts'
import { shortDuration } from '@platen/service-kit/status/duration.ts'
import { type CommandContext, defineCommand, exitFound, optional } from '../../frame/command.ts'
import { count, duration, longestWaitDays } from '../../frame/options.ts'
import { type DataFolder, readDataFolder } from './data-folder.ts'
import { type BackingUp, makeBackup } from './make-backup.ts'
import { type Backup, requireBackup } from './manifest.ts'
import { openPlace, placeArgument, placeNotes } from './open-place.ts'
import type { BackupPlace } from './place.ts'
import { type RecordedAnswer, recordedAnswers } from './recorded-answers.ts'
import { replaceData } from './replace-data.ts'
import { startReader } from './start-reader.ts'
import { describe, readRetention, type Summary, summaryOf } from './verify.ts'

interface Asking {
  url: string
  apiKey: string
  signal: AbortSignal
}

/** The difference between an answer and the recorded data; undefined if there is none. */
async function compareAnswer(recorded: RecordedAnswer, { url, apiKey, signal }: Asking): Promise<string | undefined> {
  const answer = await fetch(new URL(recorded.path, url), { headers: { authorization: `Bearer ${apiKey}` }, signal })
  if (answer.status !== 200) return `GET is answered with ${answer.status}: ${(await answer.text()).slice(0, 300)}`
  const body = (await answer.json()) as Record<string, unknown>
  const different = Object.entries(recorded.fields).filter(([name, value]) => !isDeepStrictEqual(body[name], value))
  const [first] = different
  if (first) {
    const [name, value] = first
    return `${name} is ${shown(body[name])}; its events say ${shown(value)}`
  }
  return recorded.sha256 === undefined ? undefined : compareFile(String(body.url), recorded.sha256, { url, signal })
}

async function compareFile(file: string, recorded: string, { url, signal }: Pick<Asking, 'url' | 'signal'>) {
  // No other server is asked for the file.
  if (new URL(file).origin !== new URL(url).origin) return `its file has the URL ${new URL(file).origin}`
  const answer = await fetch(file, { signal })
  if (answer.status !== 200) return `its file is answered with ${answer.status}`
  const bytes = Buffer.from(await answer.arrayBuffer())
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (sha256 === recorded) return undefined
  return `its file has ${bytes.length} bytes and the SHA-256 ${sha256}; its event says ${recorded}`
}

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 200) ?? 'absent'

export const drillBackup = defineCommand({
  name: 'backup drill',
  argument: optional(placeArgument),
  summary:
    'prove that a backup can be restored: restore it into a scratch folder, start Platen there, and compare documents',
  options: {
    documents: { ...count('how many documents, and templates, are compared, chosen at random'), default: '20' },
    limit: { ...duration('fails after this time', longestWaitDays), default: '1h' },
    scratch: { value: 'FOLDER', about: 'where the scratch folder is made (default: that of temporary files)' },
  },
  notes: [
    'Without <folder> it makes a new backup of DATA_DIR in the scratch folder first. DATA_DIR and the backup are not changed.',
    'Platen is started on free ports of 127.0.0.1, without notifier and renderer: no webhook is sent, and nothing is printed.',
    'Compared with the events: the answers to GET, and the SHA-256 of the files, but of those that were erased, or are older than',
    'PDF_RETENTION_DAYS, as the services have it. The scratch folder is removed, also after Ctrl-C.',
    'It needs the space of the backup, without <folder> twice, and a nats-server (NATS_SERVER_PATH).',
    ...placeNotes,
    'exit codes: 0 all is as recorded, 1 something differs or could not be restored or started, 2 wrong usage.',
  ],
  async run({ signal: interrupt, ...rest }, { argument, documents, limit, scratch: parent = tmpdir(), json }) {
    const tooLate = AbortSignal.timeout(limit)
    const context = { ...rest, signal: AbortSignal.any([interrupt, tooLate]) }
    const { env, print, signal } = context
    process.umask(0o077)
    const live = argument === undefined ? readDataFolder(env) : undefined
    const scratch = await mkdtemp(join(resolve(parent), 'platen-drill-'))
    try {
      const named = argument ?? join(scratch, 'backup')
      await using place = await openPlace(named, live ? 'write' : 'read', context)
      if (live) await makeBackup(place, { ...context, data: live, retention: readRetention(env) })
      const { differences, ...result } = await drill(place, { context, count: documents, scratch })
      for (const one of differences) print(json ? JSON.stringify(one) : `${one.kind} ${one.id}: ${one.difference}`)
      const isGood = differences.length === 0
      if (json) print(JSON.stringify({ ...result, differences: differences.length, succeeded: isGood }))
      else print(isGood ? succeeded(result) : `the drill FAILED: ${differences.length} differences, see above`)
      return isGood ? 0 : exitFound
    } catch (err) {
      if (!signal.aborted) throw err
      const why = interrupt.aborted ? 'was interrupted' : `has not ended in ${shortDuration(limit / 1_000)} (--limit)`
      throw new Error(`the drill ${why}; what it has made is removed`, { cause: err })
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  },
})

interface Drilling {
  context: CommandContext
  count: number
  scratch: string
}

interface Drilled extends Summary {
  documents: number
  templates: number
  restore_ms: number
  start_ms: number
}

interface Difference extends Pick<RecordedAnswer, 'kind' | 'id'> {
  difference: string
}

async function drill(place: BackupPlace, { context, count, scratch }: Drilling) {
  const { env, progress, signal } = context
  const dataDir = join(scratch, 'data')
  const paths: DataFolder = { dataDir, eventsPath: join(dataDir, 'events.db'), objectsPath: join(dataDir, 'objects') }
  const startedAt = performance.now()
  const backup = await restoreInto(place, { data: paths, progress, signal })
  const restoredAt = performance.now()
  const at = Date.parse(backup.manifest.created_at)
  const recorded = answersOf(paths, { count, retention: readRetention(env), at })
  const apiKey = await issueKey(paths)
  using bar = progress('starting Platen, and comparing')
  bar.at(0, recorded.length)
  await using reader = await startReader(dataDir, { scratch, env, signal })
  const readyAt = performance.now()
  const differences: Difference[] = []
  for (const [at, one] of recorded.entries()) {
    signal.throwIfAborted()
    const difference = await compareAnswer(one, { url: reader.url, apiKey, signal })
    if (difference !== undefined) differences.push({ kind: one.kind, id: one.id, difference })
    bar.at(at + 1, recorded.length)
  }
  const number = (kind: RecordedAnswer['kind']) => recorded.filter((one) => one.kind === kind).length
  const times = { restore_ms: Math.round(restoredAt - startedAt), start_ms: Math.round(readyAt - restoredAt) }
  const result: Drilled = {
    ...summaryOf(backup),
    documents: number('document'),
    templates: number('template'),
    ...times,
  }
  return { ...result, differences }
}

async function restoreInto(
  place: BackupPlace,
  { data, progress, signal }: Omit<BackingUp, 'note' | 'retention'>,
): Promise<Backup> {
  await using _lock = await place.lock('shared')
  const backup = await requireBackup(place)
  await replaceData(place, backup, { configured: data, bar: progress('restoring'), signal })
  return backup
}

function answersOf({ eventsPath }: DataFolder, choosing: Parameters<typeof recordedAnswers>[1]): RecordedAnswer[] {
  using events = openEventCopy(eventsPath)
  return recordedAnswers(events, choosing)
}

/** Issues a key of a new owner, as each existing owner may be disabled. */
async function issueKey({ eventsPath }: DataFolder): Promise<string> {
  const url = `sqlite:${eventsPath}`
  claimEventStore(url, eventCatalogue)
  const store = await openEventStore(url)
  try {
    const key = newApiKey()
    const ownerId = await createOwner(store, 'drill')
    await issueApiKey(store, { key, name: 'drill', scopes: allScopes, ownerId })
    return key
  } finally {
    await store.close()
  }
}

function succeeded({ documents, templates, restore_ms, start_ms, ...backup }: Drilled): string {
  const compared = `${documents} documents and ${templates} templates are as recorded`
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  return (
    `the drill succeeded: ${compared}. ${describe(backup)}: restored in ${seconds(restore_ms)}, started in ` +
    `${seconds(start_ms)}. Nothing was sent or printed, and the scratch folder is removed`
  )
}
