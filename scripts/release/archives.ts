import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { quietly } from './commit.ts'

const run = promisify(execFile)

/**
 * Writes a folder, or entries of it, as .tar.gz. The same files give the same bytes: names are sorted; times, owners and modes are fixed.
 */
export async function packFolder(
  folder: string,
  archive: string,
  options: { epoch: number; except?: string[]; entries?: string[] },
): Promise<void> {
  const fixed = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', '--format=gnu']
  const except = (options.except ?? []).map((name) => `--exclude=${name}`)
  const args = [
    ...fixed,
    `--mtime=@${options.epoch}`,
    ...except,
    '-C',
    folder,
    '-cf',
    '-',
    ...(options.entries ?? ['.']),
  ]
  const { stdout } = await run('tar', args, { ...quietly, encoding: 'buffer' })
  await writeFile(archive, compress(stdout))
}

/** Writes files of the commit as .tar.gz, below a folder of the archive. Without paths: all of them. */
export async function packCommit(archive: string, prefix: string, paths: string[] = []): Promise<void> {
  // Modes of 0644 and 0755, whatever the user has configured.
  const args = ['-c', 'tar.umask=0022', 'archive', '--format=tar', `--prefix=${prefix}/`, 'HEAD', ...paths]
  const { stdout } = await run('git', args, { ...quietly, encoding: 'buffer' })
  await writeFile(archive, compress(stdout))
}

/** Without a name and a time, which `gzip` writes (RFC 1952). */
const compress = (content: Buffer) => gzipSync(content, { level: 9 })

/** A file of a release. */
export interface Artifact {
  /** From the folder of the release. */
  path: string
  sha256: string
}

export const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

/** The files of a folder with their hashes, sorted by path. */
export async function artifactsOf(out: string): Promise<Artifact[]> {
  const entries = await readdir(out, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'SHA256SUMS')
  const paths = files.map(({ parentPath, name }) => relative(out, join(parentPath, name))).sort()
  return Promise.all(paths.map(async (path) => ({ path, sha256: sha256(await readFile(join(out, path))) })))
}

/** Writes SHA256SUMS as `sha256sum --check` reads it. */
export async function writeSums(out: string): Promise<Artifact[]> {
  const artifacts = await artifactsOf(out)
  await writeFile(join(out, 'SHA256SUMS'), artifacts.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join(''))
  return artifacts
}
