import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { writePrivateFile } from '@platen/foundation/runtime/private-file.ts'
import { adoptionFile } from '@platen/service-kit/host/adoption-file.ts'
import { defineCommand, one } from '../../frame/command.ts'
import { isInUse } from '../../frame/is-in-use.ts'
import { adoptAll } from '../deployment/adopt-all.ts'
import { requireStopped } from '../relay/relay-holders.ts'
import { copyFolder } from './backup.ts'
import { type BackupInfo, backedUpFiles, backupInfoName, checkEvents, readDataFolder } from './data-folder.ts'

export const restore = defineCommand({
  name: 'restore',
  argument: one('folder'),
  summary: 'put a backup of SQLite and a folder into DATA_DIR; Platen must be stopped',
  notes: [
    'For services in processes of their own set NATS_URL: it is also a `deployment adopt`. Delete the views in their other folders.',
    'What is in DATA_DIR is moved to DATA_DIR/replaced-<time>, apart from nats/: the queue and EVENTS stay.',
    'The next start rebuilds the views, and publishes to EVENTS what is recorded from then on. Subscribers keep what they have seen.',
    'Erased documents are in older backups: run erase again with the receipts since then.',
  ],
  async run({ print, progress, signal, ...services }, { argument, json }) {
    const { env, openBus } = services
    const source = resolve(argument)
    const { dataDir, eventsPath, objectsPath } = readDataFolder(env)
    const events = join(source, 'events.db')
    if (!existsSync(events)) throw new Error(`there is no backup in ${source}: it has no events.db`)
    process.umask(0o077)
    if (isInUse(dataDir)) throw new Error(`Platen is running with ${dataDir}; stop it first`)
    // Services in processes of their own do not read the file of the adoption. Nothing is changed unless NATS answers.
    const bus = env.NATS_URL === undefined ? undefined : await openBus()
    if (bus) await requireStopped(bus)
    const info = await readInfo(source)
    const checked = checkEvents(events)

    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const replaced = join(dataDir, `replaced-${new Date().toISOString().replace(/[:.]/g, '-')}`)
    const secret = join(dataDir, 'signing-secret')
    const old = [eventsPath, `${eventsPath}-wal`, `${eventsPath}-shm`, objectsPath, secret]
    // Views of other events are refused at the start.
    const present = [...old, join(dataDir, 'gateway'), join(dataDir, 'notifier')].filter((path) => existsSync(path))
    if (present.length > 0) await mkdir(replaced, { mode: 0o700 })
    for (const path of present) await rename(path, join(replaced, path.slice(dirname(path).length + 1)))
    using bar = progress('files')
    const copied = await copyFolder(join(source, 'objects'), objectsPath, bar, signal)
    for (const name of backedUpFiles) {
      const isKept = existsSync(join(dataDir, name))
      if (existsSync(join(source, name)) && !isKept) await copyFile(join(source, name), join(dataDir, name))
    }
    // EVENTS has messages of the replaced event store, after which no relay could go on.
    await writePrivateFile(adoptionFile(dataDir), `${new Date().toISOString()}\n`)
    // The event store last and at once: without it, nothing starts by mistake with half of a backup.
    const copy = `${eventsPath}.restored`
    await copyFile(events, copy)
    await rename(copy, eventsPath)
    if (bus) {
      await adoptAll(services)
      await rm(adoptionFile(dataDir))
    }
    const result = { ...info, events: checked.events, objects: copied.count, ...(present.length > 0 && { replaced }) }
    if (json) return print(JSON.stringify(result))
    print(
      `${checked.events} events until ${checked.lastAt ?? 'none'} and ${copied.count} files are restored to ${dataDir}`,
    )
    if (present.length > 0) print(`what was there is in ${replaced}; delete it when it is not needed any more`)
    if (!bus && !existsSync(join(dataDir, 'nats.conf')))
      print(`services in processes of their own need \`deployment adopt --yes\` first`)
    print('start Platen now. Queued generations are still in the queue; what was recorded after the backup is lost')
  },
})

async function readInfo(folder: string): Promise<Partial<BackupInfo>> {
  const text = await readFile(join(folder, backupInfoName), 'utf8').catch(() => '{}')
  return JSON.parse(text)
}
