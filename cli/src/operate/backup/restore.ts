import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { claimFile } from '@platen/service-kit/host/claim-file.ts'
import { requireStopped } from '@platen/service-kit/relay/relay-holders.ts'
import { defineCommand, exitFound, one } from '../../frame/command.ts'
import { UsageError } from '../../frame/options.ts'
import { claimAll } from '../deployment/claim-all.ts'
import { readDataFolder } from './data-folder.ts'
import { requireBackup } from './manifest.ts'
import { openPlace, placeArgument, placeNotes } from './open-place.ts'
import { describePlaces } from './places.ts'
import { replaceData } from './replace-data.ts'
import { tryRestore } from './try-restore.ts'
import { receiptOption, summaryOf } from './verify.ts'

export const restore = defineCommand({
  name: 'restore',
  argument: one(placeArgument),
  summary: 'put a backup of SQLite and a folder into DATA_DIR; Platen must be stopped',
  options: {
    'dry-run': { about: 'reads every byte, like `backup verify`, says what would be replaced, and changes nothing' },
    ...receiptOption,
  },
  notes: [
    'Each file is compared with the manifest of the backup before anything is changed. What was interrupted is run again.',
    'For services in processes of their own set NATS_URL: it is also a `deployment claim`. Delete the views in their other folders.',
    'What is replaced is moved to replaced-<time> beside it. nats/ stays, and with it the queue and EVENTS.',
    'The next start rebuilds the views, and publishes to EVENTS what is recorded from then on. Subscribers keep what they have seen.',
    ...placeNotes,
    'Erased documents are in older backups: run erase again with the receipts since then.',
  ],
  async run(context, { argument, 'dry-run': isDry, receipt = [], json }) {
    const { print, progress, signal, ...services } = context
    const { env, openBus } = services
    process.umask(0o077)
    const configured = readDataFolder(env)
    await using source = await openPlace(argument, 'read', context)
    await using _backupLock = await source.lock('shared')
    const backup = await requireBackup(source)
    if (isDry) {
      const isGood = await tryRestore(source, backup, { data: configured, context, receipts: receipt, json })
      return isGood ? 0 : exitFound
    }
    if (receipt.length > 0) throw new UsageError('--receipt needs --dry-run')
    // Services in processes of their own do not read the file of the claim. Nothing is changed unless NATS answers.
    const bus = env.NATS_URL === undefined ? undefined : await openBus()
    if (bus) await requireStopped(bus)
    const { dataDir } = configured
    const replaced = await replaceData(source, backup, { configured, bar: progress('files'), signal })
    if (bus) {
      await claimAll(services)
      await rm(claimFile(dataDir))
    }
    const info = summaryOf(backup)
    if (json) return print(JSON.stringify({ ...info, replaced }))
    const { events, last_event_at, objects } = info
    print(
      `${events} events until ${last_event_at ?? 'none'} and ${objects} files are restored to ${describePlaces(configured)}`,
    )
    for (const folder of replaced) print(`what was there is in ${folder}; delete it when it is not needed any more`)
    if (!bus && !existsSync(join(dataDir, 'nats.conf')))
      print(`services in processes of their own need \`deployment claim --yes\` first`)
    const queue =
      bus || existsSync(join(dataDir, 'nats'))
        ? 'Queued generations are still in the queue'
        : 'There is no queue here: what was queued has to be sent again'
    print(`start Platen now. ${queue}; what was recorded after the backup is lost`)
  },
})
