import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const root = join(import.meta.dirname, '../..')
/** Where a command of a release runs, and how much it may print. */
export const quietly = { cwd: root, maxBuffer: 2 ** 28 }

/** What a release is made of. */
export interface Commit {
  id: string
  /** Seconds since 1970, for SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch/). */
  epoch: number
  /** Files with changes that are not committed. */
  changed: string[]
}

export async function readCommit(): Promise<Commit> {
  const { stdout } = await run('git', ['log', '-1', '--format=%H %ct'], quietly)
  const [id = '', epoch = ''] = stdout.trim().split(' ')
  const status = await run('git', ['status', '--porcelain'], quietly)
  return { id, epoch: Number(epoch), changed: status.stdout.split('\n').filter((line) => line !== '') }
}

/** The paths of the files of a folder in the commit, from that folder. */
export async function committedFiles(folder: string): Promise<string[]> {
  const { stdout } = await run('git', ['ls-tree', '-r', '--name-only', '-z', `HEAD:${folder}`], quietly)
  return stdout.split('\0').filter((path) => path !== '')
}

/** The content of a file in the commit. */
export async function committedFile(path: string): Promise<Buffer> {
  const { stdout } = await run('git', ['cat-file', 'blob', `HEAD:${path}`], { ...quietly, encoding: 'buffer' })
  return stdout
}

/** Whether the tag exists, and at this commit. */
export async function isTagOf(tag: string, { id }: Commit): Promise<boolean> {
  const { stdout } = await run('git', ['rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`], quietly).catch(
    () => ({ stdout: '' }),
  )
  return stdout.trim() === id
}
