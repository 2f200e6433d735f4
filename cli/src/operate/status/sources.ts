import { existsSync } from 'node:fs'
import { readConfig } from '@platen/foundation/settings/config.ts'
import { publisherOf } from '@platen/service-kit/host/deployment.ts'
import type { StatusSources } from '@platen/service-kit/status/gather.ts'
import { type CommandContext, readDataDir } from '../../frame/command.ts'
import { readEventStoreUrl, readObjectStoreUrl, sqlitePathOf } from '../../frame/open-services.ts'

const mostEventsBehind = 10_000

/** The engines that the settings name. */
export function sourcesOf({
  env,
  ...open
}: Pick<CommandContext, 'openStore' | 'openBus' | 'openObjects' | 'env'>): StatusSources {
  return {
    openStore: () => open.openStore(),
    openBus: open.openBus,
    openObjects: open.openObjects,
    storeName() {
      const path = sqlitePathOf(readConfig(env, readEventStoreUrl))
      return path === undefined ? 'EventStoreDB' : `SQLite ${path}`
    },
    objectsName: () => withoutLogin(readConfig(env, readObjectStoreUrl)),
    deployment: async (store) => (await publisherOf(store, env)).deployment,
    folders: () => [readConfig(env, readDataDir)].filter((folder) => existsSync(folder)),
    mostEventsBehind,
  }
}

/** Up to the last `@`: a secret that is not percent-encoded may contain one. */
export const withoutLogin = (url: string) => url.replace(/^s3:\/\/.*@/s, 's3://')
