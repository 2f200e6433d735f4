import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** What pnpm keeps for itself. `.bin` has the programs of the packages. */
const isOfPnpm = (name: string) => name.startsWith('.') && name !== '.bin'

/**
 * Gives another copy of the source, with the same lockfile, the packages that are installed here. The packages of the source find each other
 * in the copy.
 */
export function linkPackages(folder: string): void {
  const manifests = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /(?:^|\/)package\.json$/.test(path) && !path.includes('node_modules'),
  )
  for (const workspace of manifests.map((path) => path.slice(0, -'package.json'.length))) {
    const installed = join(root, workspace, 'node_modules')
    if (!existsSync(installed)) continue
    const modules = join(folder, workspace, 'node_modules')
    mkdirSync(modules, { recursive: true })
    for (const name of readdirSync(installed).filter((name) => !isOfPnpm(name))) {
      cpSync(join(installed, name), join(modules, name), { recursive: true, verbatimSymlinks: true })
    }
  }
  copyStore(join(root, 'node_modules/.pnpm'), join(folder, 'node_modules/.pnpm'))
}

/** As hard links, where the file system is the same. A symbolic link would lead out of the source, where the PDF tools may not read. */
function copyStore(from: string, to: string): void {
  if (spawnSync('cp', ['-al', from, to], { stdio: 'ignore' }).status === 0) return
  rmSync(to, { recursive: true, force: true })
  execFileSync('cp', ['-a', from, to])
}
