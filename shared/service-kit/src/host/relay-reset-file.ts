import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Made by `platen restore`: EVENTS may be of another event store than the one that is in the folder now. */
export const relayResetName = 'relay-reset'

/** RELAY_RESET for all that is in EVENTS. */
const everything = '999999999999999'

export interface RelayResetFile {
  /** To be used if the operator has set no RELAY_RESET. */
  settings: { RELAY_RESET?: string }
  /** To be called when the relays have begun. */
  done(): Promise<void>
}

export function readRelayResetFile(dataDir: string): RelayResetFile {
  const path = join(dataDir, relayResetName)
  if (!existsSync(path)) return { settings: {}, done: async () => {} }
  return { settings: { RELAY_RESET: everything }, done: () => rm(path, { force: true }) }
}
