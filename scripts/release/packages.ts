import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zipSync } from 'fflate'
import { packFolder } from './archives.ts'
import { committedFile, committedFiles, quietly, root } from './commit.ts'
import type { Release } from './release.ts'

const run = promisify(execFile)
const goModule = 'github.com/platen/platen/clients/go'

/** The folders of the packages on npm. */
export const npmFolders = ['clients/events', 'clients/typescript', 'clients/mcp'] as const

/** `pnpm pack` compiles each by its script `prepack`, and writes the version of the other packages into its dependencies. */
export async function buildNpm({ out, pnpm: command }: Release): Promise<void> {
  const [pnpm = '', ...args] = command.split(' ')
  for (const folder of npmFolders) {
    await run(pnpm, [...args, 'pack', '--pack-destination', out], { ...quietly, cwd: join(root, folder) })
  }
}

/** Builds the Python client in a virtual environment, as Debian's Python refuses to install packages. */
export async function buildPython({ out, python, commit }: Release): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-release-'))
  try {
    await run(python, ['-m', 'venv', folder], quietly)
    const pip = [join(folder, 'bin/python'), '-m', 'pip', '--disable-pip-version-check']
    const wheel = ['wheel', '--quiet', '--no-deps', '-w', out, 'clients/python']
    await run('env', [`SOURCE_DATE_EPOCH=${commit.epoch}`, ...pip, ...wheel], quietly)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Writes the Go client in the layout of a Go module proxy (https://go.dev/ref/mod#goproxy-protocol), so that
 * GOPROXY=file://<folder>/go reads it.
 */
export async function buildGo({ out, version, commit }: Release): Promise<void> {
  const name = `v${version}`
  const folder = join(out, 'go', goModule, '@v')
  await mkdir(folder, { recursive: true })
  const paths = await committedFiles('clients/go')
  const files = [['LICENSE', 'LICENSE'], ...paths.map((path) => [path, `clients/go/${path}`])] as [string, string][]
  const contents = await Promise.all(
    files.map(async ([path, source]) => [`${goModule}@${name}/${path}`, await committedFile(source)] as const),
  )
  // A ZIP has the local time of its files, and the earliest is 1980.
  await writeFile(join(folder, `${name}.zip`), zipSync(Object.fromEntries(contents), { mtime: new Date(1980, 0, 1) }))
  await writeFile(join(folder, `${name}.mod`), await committedFile('clients/go/go.mod'))
  const time = new Date(commit.epoch * 1_000).toISOString().replace('.000', '')
  await writeFile(join(folder, `${name}.info`), `${JSON.stringify({ Version: name, Time: time })}\n`)
  await writeFile(join(folder, 'list'), `${name}\n`)
}

/** The site of the documentation, for a web server that serves it at `/docs/`. */
export async function buildDocs({ out, version, commit }: Release): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-release-'))
  try {
    await run(process.execPath, ['site/src/main.ts', folder], quietly)
    const archive = join(out, `platen-docs-${version}.tar.gz`)
    await packFolder(join(folder, 'current'), archive, { epoch: commit.epoch, except: ['site.json'] })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
