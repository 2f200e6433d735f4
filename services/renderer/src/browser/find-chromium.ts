import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The headless shell first: half the start time and memory, and no window system to link against. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The browser's path: the one that was set, else the first known name on the search path or in /usr/bin. */
export function findChromium(wanted: string | undefined, searchPath: string): string {
  if (wanted !== undefined) {
    if (isExecutable(wanted)) return wanted
    throw new Error(`CHROMIUM_PATH must be the path of a Chromium that can be run, not "${wanted}"`)
  }
  const folders = [...searchPath.split(delimiter).filter(Boolean), '/usr/bin']
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
  if (found) return found
  throw new Error('No Chromium found: install one (Debian: apt install chromium-headless-shell) or set CHROMIUM_PATH')
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
