import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { eventCatalogue } from '@platen/domain/catalogue/event-catalogue.ts'
import { objectCategories } from '@platen/domain/streams/object-categories.ts'
import { claimEventStore, requireClaimedStore } from '@platen/event-store/adapters/claim-event-store.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { requireRestored } from '@platen/event-store/adapters/sqlite/store-lock.ts'
import { withArchive } from '@platen/event-store/archive/with-archive.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { withCatalogue } from '@platen/event-store/with-catalogue.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { type Environment, readConfig, type SettingsReader } from '@platen/foundation/settings/config.ts'
import { withDefault } from '@platen/foundation/settings/setting.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import type { NatsConfig } from '@platen/messaging/connection/nats-options.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import { objectStoreSettings, readNatsConfig, storeSettings } from '@platen/service-kit/host/backing-services.ts'
import { embeddedNatsUrl, readEmbeddedNats, servicesUser } from '@platen/service-kit/host/embedded-nats.ts'
import { type CommandContext, readDataDir } from './command.ts'

const log = createLogger('platen', 'silent')
const close = (opened: { close(): Promise<void> }) => opened.close()

/**
 * The backing services. Each is opened when a command asks for it, and closed with `resources`. `isReading`: the
 * command changes nothing.
 */
export function openServices(
  env: Environment,
  resources: AsyncDisposableStack,
  { isReading }: { isReading: boolean },
): Pick<CommandContext, 'openStore' | 'openLog' | 'openBus' | 'openObjects'> {
  const openObjects = once(async () => {
    const url = readConfig(env, readObjectStoreUrl)
    const path = /^file:(.+)$/s.exec(url)?.[1]
    if (path !== undefined && !existsSync(path)) {
      throw new Error(
        `there is no object store at ${resolve(path)}; set DATA_DIR or OBJECT_STORE_URL to that of your Platen`,
      )
    }
    const options = readConfig(env, (settings) => settings.read(objectStoreSettings))
    return resources.adopt(await openObjectStore(url, { ...options, categories: objectCategories }), close)
  })
  const openLog = once(async ({ create = false }: { create?: boolean | undefined } = {}): Promise<EventStore> => {
    const url = readConfig(env, readEventStoreUrl)
    if (!create) requireEventStore(url)
    if (isReading) requireClaimedStore(url, eventCatalogue)
    else claimEventStore(url, eventCatalogue)
    // Older events may be in the archive only.
    return resources.adopt(withArchive(await openEventStore(url), { objects: openObjects }), close)
  })
  return {
    openLog: () => openLog(),
    openStore: async (options) => withCatalogue(await openLog(options), { catalogue: eventCatalogue, log }),
    openBus: once(async () => resources.use(await openBus(await readNats(env), 'platen cli', log))),
    openObjects,
  }
}

/** A later call has the result of the first. */
function once<Args extends unknown[], Value>(
  open: (...args: Args) => Promise<Value>,
): (...args: Args) => Promise<Value> {
  let opened: Promise<Value> | undefined
  return (...args) => {
    opened ??= open(...args)
    return opened
  }
}

export function readEventStoreUrl(settings: SettingsReader): string {
  const fallback = `sqlite:${join(readDataDir(settings), 'events.db')}`
  return settings.read({ url: withDefault(storeSettings.eventStoreUrl, fallback) }).url
}

export function readObjectStoreUrl(settings: SettingsReader): string {
  const fallback = `file:${join(readDataDir(settings), 'objects')}`
  return settings.read({ url: withDefault(storeSettings.objectStoreUrl, fallback) }).url
}

/** The file of a SQLite event store. */
export function sqlitePathOf(url: string): string | undefined {
  return url.startsWith('sqlite:') ? resolve(url.slice('sqlite:'.length)) : undefined
}

/** Whether the file of a SQLite event store exists; true for a server. Throws if a restore of the file was interrupted. */
export function hasEventStore(url: string): boolean {
  const path = sqlitePathOf(url)
  if (path === undefined) return true
  requireRestored(path)
  return existsSync(path)
}

/** Opening a SQLite file creates it, also where DATA_DIR is wrong. */
export function requireEventStore(url: string): void {
  if (hasEventStore(url)) return
  throw new Error(
    `there is no event store at ${sqlitePathOf(url)}; set DATA_DIR or EVENT_STORE_URL to that of your Platen; a new one is created by keys issue --create`,
  )
}

/** The settings of NATS. Default: the server that `npm start` runs. */
export async function readNats(env: Environment): Promise<NatsConfig> {
  const dataDir = readConfig(env, readDataDir)
  const embedded = env.NATS_URL === undefined ? await readEmbeddedNats(dataDir) : undefined
  if (embedded === undefined) return readConfig(env, readNatsConfig)
  return { url: embeddedNatsUrl(embedded.port), user: servicesUser, password: embedded.passwords.services }
}
