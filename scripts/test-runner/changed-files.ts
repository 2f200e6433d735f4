import { execFileSync } from 'node:child_process'
import { posix } from 'node:path'

export interface Change {
  /** Every TypeScript file. All paths are from the root of the repository. */
  files: readonly string[]
  /** The files that a file imports or names, and the folders that it names, which end with a slash. */
  importsOf(file: string): readonly string[]
  changed: readonly string[]
}

const isTest = (file: string) => file.endsWith('.test.ts')
const isScript = (file: string) => /\.tsx?$/.test(file)
const isSupport = (file: string) => /^test\/|\/testing\//.test(file) && !isTest(file)
/** Composition roots: they import all of a program. */
const isRoot = (file: string) => /(^|\/)(main|start|resources)\.ts$/.test(file)
/** Files on which every test depends. The dependencies of each package are in the lockfile. */
const ofAll = /^(package|tsconfig)\.json$|^pnpm-(lock|workspace)\.yaml$|^scripts\/test-runner\//

/**
 * The test files that a change concerns, nearest first: those that changed, import what changed, or are in its folder. A test that
 * starts a whole program imports all of it: what is behind a composition root does not count.
 */
export function affectedTests({ files, importsOf, changed }: Change): string[] {
  const tests = files.filter(isTest)
  const importers = importersIn(files, importsOf)
  const startsProgram = (file: string) => isRoot(file) || (isSupport(file) && importsOf(file).some(isRoot))
  const affected = new Map<string, number>()
  for (const path of changed) {
    const distances = distancesFrom(path, importers, startsProgram)
    for (const test of tests) {
      const distance = Math.min(distances.get(test) ?? Number.POSITIVE_INFINITY, withoutImport(path, test))
      if (Number.isFinite(distance)) affected.set(test, Math.min(distance, affected.get(test) ?? distance))
    }
  }
  return [...affected].sort(([one, near], [other, far]) => near - far || (one < other ? -1 : 1)).map(([file]) => file)
}

/** The distance of a test that need not import what it is about. */
function withoutImport(path: string, test: string): number {
  if (isTest(path)) return Number.POSITIVE_INFINITY
  const folder = posix.dirname(path)
  // Tests beside a file of the product call it over HTTP.
  if (!path.startsWith('test/') && folder !== '.' && posix.dirname(test) === folder) return 1
  if (path.endsWith('/package.json') && test.startsWith(`${folder}/`)) return 2
  if (/^docs\/|\.md$/.test(path) && test.startsWith('test/docs/')) return 2
  return ofAll.test(path) ? 3 : Number.POSITIVE_INFINITY
}

function importersIn(files: readonly string[], importsOf: Change['importsOf']): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const file of files)
    for (const target of new Set(importsOf(file))) importers.set(target, [...(importers.get(target) ?? []), file])
  return importers
}

/** How many imports lie between a changed file and each file that reaches it. */
function distancesFrom(
  path: string,
  importers: ReadonlyMap<string, readonly string[]>,
  startsProgram: (file: string) => boolean,
): Map<string, number> {
  const distances = new Map([[path, 0]])
  for (const [file, distance] of distances) {
    if (distance > 0 && startsProgram(file)) continue
    const next = importers.get(file) ?? []
    // A script that nothing imports is built with its folder, such as those that run in pages.
    const isNamed = isScript(file) ? next.length === 0 && !isTest(file) : distance === 0
    for (const importer of isNamed ? [...next, ...namingFolderOf(file, importers)] : next)
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  }
  return distances
}

/** The files that name a folder which contains the file, the whole repository apart. */
function namingFolderOf(path: string, importers: ReadonlyMap<string, readonly string[]>): string[] {
  return [...importers].flatMap(([folder, files]) => (/\w\/$/.test(folder) && path.startsWith(folder) ? files : []))
}

/** The files that differ from where this branch left `ref`, committed or not, and new ones. */
export function changedSince(root: string, ref: string): string[] {
  const list = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  return [
    ...list('diff', '--name-only', '--no-renames', '-z', '--merge-base', ref, '--'),
    ...list('ls-files', '--others', '--exclude-standard', '-z'),
  ]
}
