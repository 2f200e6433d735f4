import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

/** A package of the workspace. Paths are from the root of the repository. */
export interface Package {
  folder: string
  name: string
  /** `./a/b.ts` → `./src/a/b.ts`; undefined if other packages import nothing of it. */
  exports: Readonly<Record<string, string>>
  dependencies: readonly string[]
  devDependencies: readonly string[]
}

/** A TypeScript file and what it imports, as written. */
export interface Source {
  file: string
  specifiers: readonly string[]
}

/** One line for each export that nothing imports, and for each import and dependency that do not agree. */
export function packageProblems(packages: readonly Package[], sources: readonly Source[]): string[] {
  const imported = new Set(sources.flatMap(({ specifiers }) => specifiers))
  return packages.flatMap((each) => {
    const manifest = `${each.folder}/package.json`
    const unused = Object.keys(each.exports)
      .filter((path) => !path.includes('*') && !imported.has(posix.join(each.name, path)))
      .map((path) => `${manifest}: no other package imports ${path}; remove it from "exports"`)
    return [...unused, ...dependencyProblems(each, manifest, sources)]
  })
}

// In the workspace an import finds packages that are not listed as dependencies; in an image it does not.
function dependencyProblems(
  { folder, name, dependencies, devDependencies }: Package,
  manifest: string,
  sources: readonly Source[],
): string[] {
  const own = sources.filter(({ file }) => file.startsWith(`${folder}/src/`))
  const used = (files: readonly Source[]) => new Set(files.flatMap(({ specifiers }) => specifiers).flatMap(packageOf))
  const byProduct = used(own.filter(({ file }) => !isTest(file)))
  const byTests = used(own.filter(({ file }) => isTest(file)))
  byProduct.delete(name)
  return [
    ...[...byProduct]
      .filter((wanted) => !dependencies.includes(wanted))
      .map((wanted) => `${manifest}: add ${wanted} to "dependencies", as the sources import it`),
    ...dependencies
      .filter((listed) => !byProduct.has(listed))
      .map((listed) => `${manifest}: remove ${listed} from "dependencies", as no source imports it`),
    ...devDependencies
      .filter((listed) => !byTests.has(listed) || byProduct.has(listed))
      .map((listed) => `${manifest}: remove ${listed} from "devDependencies", as no test needs it there`),
  ]
}

const isTest = (file: string) => /\.(test|suite)\.ts$|\/(suite|testing|fixtures)\//.test(file)

function packageOf(specifier: string): string[] {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return []
  return [specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')]
}

export function specifiersOf(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export|\}).* from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm)
  return [...statements].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '')
}

function readPackage(folder: string): Package {
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const names = (group: string) => Object.keys(manifest[group] ?? {})
  return {
    folder,
    name: manifest.name,
    exports: manifest.exports ?? {},
    dependencies: names('dependencies'),
    devDependencies: names('devDependencies'),
  }
}

if (import.meta.main) {
  const folders = ['shared/*', 'services/*', 'cli', 'deploy/single-node'].flatMap((pattern) =>
    globSync(`${pattern}/package.json`).map((file) => posix.dirname(file)),
  )
  const listing = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts']
  const files = execFileSync('git', listing, { encoding: 'utf8' }).split('\n').filter(existsSync)
  const sources = files.map((file) => ({ file, specifiers: specifiersOf(readFileSync(file, 'utf8')) }))
  const problems = packageProblems(folders.map(readPackage), sources)
  for (const folder of globSync('shared/*/package.json').map((file) => posix.dirname(file))) {
    if (!existsSync(`${folder}/README.md`)) problems.push(`${folder}: add a README.md of ten lines`)
  }
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
