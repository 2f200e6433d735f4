import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { versionPlaces, withVersion } from './write-version.ts'

// Builds the packages for users of the API: npm packages, the Python wheel, the archive of the Go module, and the site
// of the documentation. It publishes nothing.

const help = `usage: npm run release -- [--out <folder>] [--only npm,python,go,docs] [--python <python3>]

Writes the packages of the clients, the site of the documentation, and their SHA256SUMS to out/release, or to the folder. Python
needs python3 with venv and pip, and loads hatchling from PyPI. The archive of the Go module is made of the commit, not of changed files.`

const root = join(import.meta.dirname, '../..')
const { version } = manifest
const goModule = 'github.com/platen/platen/clients/go'
const run = promisify(execFile)
const quietly = { cwd: root, maxBuffer: 2 ** 26 }

interface Programs {
  pnpm: string
  python: string
}

/** `pnpm pack` compiles each by its script `prepack`, and writes the version of the other packages into its dependencies. */
async function buildNpm(out: string, { pnpm: command }: Programs): Promise<void> {
  const [pnpm = '', ...args] = command.split(' ')
  for (const folder of ['packages/events', 'packages/client', 'clients/mcp']) {
    await run(pnpm, [...args, 'pack', '--pack-destination', out], { ...quietly, cwd: join(root, folder) })
  }
}

/** Builds the Python client in a virtual environment, as Debian's Python refuses to install packages. */
async function buildPython(out: string, { python }: Programs): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-release-'))
  try {
    await run(python, ['-m', 'venv', folder], quietly)
    const pip = [join(folder, 'bin/python'), '-m', 'pip', '--disable-pip-version-check'] as const
    await run(pip[0], [...pip.slice(1), 'wheel', '--quiet', '--no-deps', '-w', out, 'clients/python'], quietly)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Writes the Go client in the layout of a Go module proxy (https://go.dev/ref/mod#goproxy-protocol), so that
 * GOPROXY=file://<folder>/go reads it.
 */
async function buildGo(out: string): Promise<void> {
  const name = `v${version}`
  const folder = join(out, 'go', goModule, '@v')
  await mkdir(folder, { recursive: true })
  const { stdout: time } = await run('git', ['log', '-1', '--format=%cI'], quietly)
  const archive = join(folder, `${name}.zip`)
  const prefix = `--prefix=${goModule}@${name}/`
  await run('git', ['archive', '--format=zip', prefix, '--add-file=LICENSE', '-o', archive, 'HEAD:clients/go'], quietly)
  await writeFile(join(folder, `${name}.mod`), await readFile(join(root, 'clients/go/go.mod')))
  await writeFile(join(folder, `${name}.info`), `${JSON.stringify({ Version: name, Time: time.trim() })}\n`)
  await writeFile(join(folder, 'list'), `${name}\n`)
}

/** The site of the documentation, for a web server that serves it at `/docs/`. */
async function buildDocs(out: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-release-'))
  try {
    await run(process.execPath, ['site/src/main.ts', folder], quietly)
    const archive = join(out, `platen-docs-${version}.tar.gz`)
    await run('tar', ['-czf', archive, '-C', join(folder, 'current'), '--exclude', 'site.json', '.'], quietly)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const builders = { npm: buildNpm, python: buildPython, go: buildGo, docs: buildDocs }

async function writeSums(out: string): Promise<string[]> {
  const entries = await readdir(out, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'SHA256SUMS')
  const paths = files.map(({ parentPath, name }) => relative(out, join(parentPath, name))).sort()
  const hash = async (path: string) =>
    createHash('sha256')
      .update(await readFile(join(out, path)))
      .digest('hex')
  const lines = await Promise.all(paths.map(async (path) => `${await hash(path)}  ${path}\n`))
  await writeFile(join(out, 'SHA256SUMS'), lines.join(''))
  return paths
}

/** Throws for a folder with files of something else. */
async function empty(out: string): Promise<void> {
  const names: string[] = await readdir(out).catch(() => [])
  if (names.length > 0 && !names.includes('SHA256SUMS')) throw new Error(`${out} has other files: name an empty folder`)
  await rm(out, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const options = { out: text, only: text, python: text, pnpm: text, help: { type: 'boolean' } } as const
  const { values } = parseArgs({ options })
  if (values.help) return console.log(help)
  for (const place of versionPlaces) {
    if ((await withVersion(place, version)) === (await readFile(join(root, place.path), 'utf8'))) continue
    throw new Error(
      `${place.path} has another version than package.json: run npm run generate, and commit what it writes`,
    )
  }
  const out = resolve(root, values.out ?? 'out/release')
  const programs = { pnpm: values.pnpm ?? 'pnpm', python: values.python ?? 'python3' }
  await empty(out)
  await mkdir(out, { recursive: true })
  await writeSums(out)
  for (const [name, build] of Object.entries(builders)) {
    if (values.only !== undefined && !values.only.split(',').includes(name)) continue
    await build(out, programs)
    console.log(`release ${version}: ${name}`)
  }
  for (const path of await writeSums(out)) console.log(path)
  console.log('SHA256SUMS')
}

try {
  await main()
} catch (err) {
  const { stderr, stdout, message } = err as Error & { stderr?: string; stdout?: string }
  console.error(`release: ${stderr || stdout || message}`)
  process.exitCode = 1
}
