import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readlink, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('../..', import.meta.url))

/** The folders of packages that the services of an earlier version are run from. */
const packages = ['shared', 'services/gateway', 'services/template', 'services/renderer', 'services/notifier']

/** The newest tag of a release, such as v0.2.0, before the commit that is checked out, if there is one. */
export function lastRelease(): string | undefined {
  try {
    const find = ['describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^']
    return execFileSync('git', find, { cwd: here, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

/** Whether the repository has the commit: a shallow clone may not. */
export function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: here, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The source of a commit in a temporary folder, with the libraries that are installed here. */
export async function checkOut(commit: string): Promise<AsyncDisposable & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-earlier-'))
  const archive = execFileSync('git', ['archive', commit], { cwd: here, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  await symlink(join(here, 'node_modules'), join(folder, 'node_modules'))
  for (const name of packages) await linkLibraries(join(here, name, 'node_modules'), join(folder, name, 'node_modules'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Libraries are those of this version. Packages of this repository are those of the earlier one. */
async function linkLibraries(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return
  await mkdir(to, { recursive: true })
  for (const name of await readdir(from)) {
    if (name.startsWith('.')) continue
    if (name === '@platen') await linkPackages(join(from, name), join(to, name))
    else if (name.startsWith('@')) await linkLibraries(join(from, name), join(to, name))
    else await symlink(await realpath(join(from, name)), join(to, name))
  }
}

async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const name of await readdir(from)) {
    const target = resolve(from, await readlink(join(from, name)))
    await symlink(resolve(to, relative(from, target)), join(to, name))
  }
}
