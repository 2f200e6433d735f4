import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { linkPackages } from '../support/link-packages.ts'
import { findPnpm } from '../support/pnpm.ts'

const root = join(import.meta.dirname, '../..')
const lockfile = 'pnpm-lock.yaml'

/**
 * Writes the source of a commit to an empty folder, with the packages of its lockfile, so that its processes can run. An Error says why that
 * is impossible here.
 */
export function checkOut(commit: string, folder: string): Error | undefined {
  if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status !== 0) {
    return new Error(`this clone has no commit ${commit}: fetch its whole history`)
  }
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: 2 ** 29 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const read = (at: string) => readFileSync(join(at, lockfile), 'utf8')
  if (read(folder) !== read(root)) return installPackages(folder)
  linkPackages(folder)
  return undefined
}

function installPackages(folder: string): Error | undefined {
  const [pnpm, ...args] = findPnpm() ?? []
  if (pnpm === undefined) return new Error('pnpm is not installed')
  const install = [...args, 'install', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts']
  const { status, stdout, stderr } = spawnSync(pnpm, install, { cwd: folder, encoding: 'utf8', timeout: 600_000 })
  return status === 0 ? undefined : new Error(`its packages cannot be installed: ${(stderr || stdout).slice(-500)}`)
}
