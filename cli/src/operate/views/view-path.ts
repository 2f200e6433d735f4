import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Environment, readConfig } from '@platen/foundation/settings/config.ts'
import { readDataDir } from '../../frame/command.ts'

/** The views of the gateway that has this DATA_DIR. Throws if no gateway has used the folder. */
export function requireViewPath(env: Environment): string {
  const path = join(readConfig(env, readDataDir), 'gateway', 'views.db')
  if (existsSync(dirname(path))) return path
  throw new Error(
    `there are no views in ${dirname(path)}; run this on the machine of a gateway, with its DATA_DIR and EVENT_STORE_URL`,
  )
}
