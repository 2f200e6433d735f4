import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The headless shell comes first: half the start time and memory, and no libraries of a window system. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The path of the browser: the configured one, or the first known name on the search path or in /usr/bin. */
export function findChromium(configured: string | undefined, searchPath: string): string {
  if (configured !== undefined) {
    if (isExecutable(configured)) return configured
    throw new Error(`CHROMIUM_PATH must be the path of a Chromium executable, not "${configured}"`)
  }
  const folders = [...searchPath.split(delimiter).filter(Boolean), '/usr/bin']
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
  if (found) return found
  throw new Error('No Chromium found: install one (Debian: apt install chromium-headless-shell) or set CHROMIUM_PATH')
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    // A folder is executable, too.
    return statSync(path).isFile()
  } catch {
    return false
  }
}
