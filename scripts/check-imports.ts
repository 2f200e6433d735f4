import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

/** The layers of the repository. A package may import itself and the packages of its list. */
const packages: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  'services/gateway': ['shared'],
  'services/notifier': ['shared'],
  'services/renderer': ['shared'],
  'services/template': ['shared'],
  // The views of the gateway, to rebuild and check them.
  cli: ['shared', 'services/gateway'],
  'deploy/single-node': ['shared', 'services/gateway', 'services/notifier', 'services/renderer', 'services/template'],
}

/** A file and the files and npm packages it imports, as paths from the root of the repository. */
export type Imports = ReadonlyMap<string, readonly string[]>

interface Place {
  package: string
  /** The folder under `src`; empty for files directly in `src`. */
  folder: string
}

/** One line for each import that breaks a rule. */
export function importProblems(imports: Imports): string[] {
  const edges = [...imports].flatMap(([from, targets]) => targets.map((to) => ({ from, to })))
  const ofProduct = edges.filter(({ from }) => placeOf(from) && !isTestSupport(from))
  return [...ofProduct.flatMap(forbidden), ...folderCycles(ofProduct)]
}

interface Edge {
  from: string
  to: string
}

function forbidden({ from, to }: Edge): string[] {
  const [importer, imported] = [placeOf(from), placeOf(to)]
  if (isTestSupport(to)) return [`${from} imports test support: ${to}`]
  if (!importer || !imported) return []
  if (importer.package !== imported.package) {
    const isAllowed = packages[importer.package]?.includes(imported.package)
    return isAllowed ? [] : [`${from} imports another package: ${to}`]
  }
  const isUpwards = importer.folder !== '' && imported.folder === ''
  return isUpwards ? [`${from} imports a file above its folder: ${to}`] : []
}

/** Files that only tests may import. */
function isTestSupport(path: string): boolean {
  return path === 'tap' || /^test\/|\.(test|suite)\.ts$|\/(testing|suite|fixtures)\//.test(path)
}

function placeOf(path: string): Place | undefined {
  const [, name = '', file = ''] = /^(services\/[^/]+|cli|deploy\/single-node)\/src\/(.+)$/.exec(path) ?? []
  if (name === '') return undefined
  return { package: name, folder: file.includes('/') ? file.slice(0, file.indexOf('/')) : '' }
}

/** The folders of a package must not import each other in a circle. */
function folderCycles(edges: readonly Edge[]): string[] {
  const graph = new Map<string, Map<string, Edge>>()
  for (const edge of edges) {
    const [from, to] = [folderOf(edge.from), folderOf(edge.to)]
    if (from === undefined || to === undefined || from === to) continue
    const targets = graph.get(from) ?? new Map<string, Edge>()
    graph.set(from, targets.set(to, targets.get(to) ?? edge))
  }
  const problems: string[] = []
  const done = new Set<string>()
  const visit = (folder: string, path: readonly string[]) => {
    if (path.includes(folder)) {
      const cycle = [...path.slice(path.indexOf(folder)), folder]
      const examples = cycle.slice(1).map((to, index) => graph.get(cycle[index] ?? '')?.get(to))
      problems.push(
        `folders import each other in a circle: ${cycle.join(' → ')}${examples.map((edge) => `\n  ${edge?.from} imports ${edge?.to}`).join('')}`,
      )
    }
    if (done.has(folder)) return
    done.add(folder)
    for (const next of graph.get(folder)?.keys() ?? []) visit(next, [...path, folder])
  }
  for (const folder of graph.keys()) visit(folder, [])
  return problems
}

function folderOf(path: string): string | undefined {
  const place = placeOf(path)
  return place?.folder ? `${place.package}/src/${place.folder}` : undefined
}

/** Reads the import statements of every TypeScript file that git does not ignore. */
function readImports(): Imports {
  const listing = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts']
  const files = execFileSync('git', listing, { encoding: 'utf8' }).split('\n').filter(existsSync)
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(file, 'utf8'))]))
}

export function importsOf(file: string, source: string): string[] {
  const specifiers = [...source.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'([^'\n]+)'/g)].map(([, path = '']) => path)
  return specifiers.map((specifier) => {
    if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier)
    const [, name, path] = /^@platen\/([^/]+)\/(.+)$/.exec(specifier) ?? []
    if (name === undefined) return specifier
    if (name === 'test-support') return `test/support/${path}`
    return existsSync(`shared/${name}`) ? `shared/${name}/src/${path}` : `services/${name}/src/${path}`
  })
}

if (import.meta.main) {
  const problems = importProblems(readImports())
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
