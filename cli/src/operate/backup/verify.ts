import { readFile } from 'node:fs/promises'
import type { ObjectRetention } from '@platen/domain/generation/object-retention.ts'
import { type Environment, readConfig } from '@platen/foundation/settings/config.ts'
import { retentionSettings } from '@platen/service-kit/host/backing-services.ts'
import { type CommandContext, defineCommand, exitFound, one } from '../../frame/command.ts'
import { checkBackup, type FindingKind, faults } from './check-backup.ts'
import { type Backup, type Manifest, requireBackup, requireUnchanged } from './manifest.ts'
import { openPlace, placeArgument, placeNotes } from './open-place.ts'
import type { BackupPlace } from './place.ts'

export const receiptOption = {
  receipt: {
    value: 'FILE',
    about: 'a receipt of `erase`, whose files may be missing; may be repeated',
    multiple: true,
  },
} as const

export const verifyBackup = defineCommand({
  name: 'backup verify',
  argument: one(placeArgument),
  summary: 'read every byte of a backup, and compare it with its manifest and with what its events name',
  options: receiptOption,
  notes: [
    'Prints each file that is damaged, and each that an event names and the backup lacks, with the reason if there is one: its',
    'retention had ended (PDF_RETENTION_DAYS and INPUT_RETENTION_DAYS, as the services have them), or a receipt of `erase` names it.',
    'exit codes: 0 it is whole, 1 something is damaged or missing without a reason, 2 wrong usage.',
    'Nothing is written. Run it where a copy of the backup is, too.',
    ...placeNotes,
  ],
  async run(context, { argument, receipt, json }) {
    const { print } = context
    await using place = await openPlace(argument, 'read', context)
    await using _lock = await place.lock('shared')
    const backup = await requireBackup(place)
    const { isGood, ...found } = await reportBackup(place, backup, { context, receipts: receipt ?? [], json })
    if (json) print(JSON.stringify({ folder: place.name, ...summaryOf(backup), ...found, whole: isGood }))
    else print(`${place.name}: ${describe(summaryOf(backup))}. ${isGood ? 'It is whole' : 'It is NOT good, see above'}`)
    return isGood ? 0 : exitFound
  },
})

interface Reporting {
  context: Pick<CommandContext, 'env' | 'print' | 'progress' | 'signal'>
  receipts: readonly string[]
  json: boolean
}

/** Prints each finding. Resolves with the number of each kind. */
export async function reportBackup(place: BackupPlace, backup: Backup, { context, receipts, json }: Reporting) {
  const { env, print, progress, signal } = context
  const found: Record<FindingKind, number> = { damaged: 0, differs: 0, absent: 0, expired: 0, erased: 0 }
  const isGood = () => faults.every((kind) => found[kind] === 0)
  await checkBackup(place, backup, {
    retention: readRetention(env),
    erased: await erasedKeys(receipts),
    progress,
    signal,
    onFinding(one) {
      found[one.finding] += 1
      print(json ? JSON.stringify(one) : `${one.finding}: ${one.path} ${one.problem}`)
    },
  }).catch(async (err) => {
    await requireUnchanged(place, backup)
    throw err
  })
  if (!isGood()) await requireUnchanged(place, backup)
  return { ...found, isGood: isGood() }
}

/** The summary of a backup, from its manifest. */
export type Summary = Omit<Manifest, 'format' | 'list'>

export function summaryOf({ manifest: { format: _, list: __, ...summary } }: Backup): Summary {
  return summary
}

export function describe({ events, last_event_at, objects, object_bytes, created_at }: Summary): string {
  return `${events} events until ${last_event_at ?? 'none'} and ${objects} files (${object_bytes} bytes), made ${created_at}`
}

export const readRetention = (env: Environment): ObjectRetention =>
  readConfig(env, (settings) => settings.read(retentionSettings))

async function erasedKeys(receipts: readonly string[]): Promise<Set<string>> {
  const keys = new Set<string>()
  for (const path of receipts) {
    const { generations, dry_run } = JSON.parse(await readFile(path, 'utf8'))
    if (dry_run !== false || !Array.isArray(generations)) throw new Error(`${path} is not a receipt of erase`)
    for (const { objects } of generations) for (const { key } of objects) keys.add(key)
  }
  return keys
}
