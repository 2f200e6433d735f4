import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const [, pnpmVersion = ''] =
  /^pnpm_version=(.+)$/m.exec(readFileSync(join(import.meta.dirname, '../../scripts/dev.sh'), 'utf8')) ?? []

/** The pnpm that `scripts/dev.sh` has installed the packages with. Undefined if it would have to be downloaded. */
export function findPnpm(): [string, ...string[]] | undefined {
  for (const [file, ...args] of [['pnpm'], ['npx', '--offline', '--yes', `pnpm@${pnpmVersion}`]] as const) {
    try {
      const version = execFileSync(file, [...args, '--version'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      if (version.trim() === pnpmVersion) return [file, ...args]
    } catch {
      // It is not installed.
    }
  }
  return undefined
}
