import { posix } from 'node:path'
import { type Imports, readImports } from './imports.ts'

const kit = ['foundation', 'messaging', 'object-store', 'event-store', 'domain', 'service-kit'].map(
  (name) => `shared/${name}`,
)
const everything = [...kit, 'shared/templating', 'shared/pdf-tools']

/** The layers of the repository. A package may import itself and the packages of its list. */
const packages: Readonly<Record<string, readonly string[]>> = {
  'shared/foundation': [],
  'shared/messaging': ['shared/foundation'],
  'shared/object-store': ['shared/foundation'],
  // The archive of a log is in an object store.
  'shared/event-store': ['shared/foundation', 'shared/object-store'],
  'shared/domain': ['shared/foundation', 'shared/messaging', 'shared/event-store'],
  'shared/templating': ['shared/foundation'],
  // It runs in a process of its own.
  'shared/pdf-tools': ['shared/foundation', 'shared/domain'],
  'shared/service-kit': kit,
  'services/gateway': everything,
  'services/notifier': kit,
  'services/renderer': everything,
  'services/template': everything,
  // Users install them, and they have the public API only.
  'clients/typescript': [],
  'clients/mcp': ['clients/typescript'],
  // The views of the gateway, to rebuild and check them.
  cli: [...everything, 'services/gateway', 'clients/typescript'],
  // It has the public API only.
  studio: ['clients/typescript'],
  'deploy/single-node': [
    ...everything,
    ...['services/gateway', 'services/notifier', 'services/renderer', 'services/template'],
  ],
}

/** Authors' verbs of the command line use the HTTP API with an API key. They open no engine. */
const ofAuthors = 'cli/src/author/'
const engines = /^(cli\/src\/operate|shared\/(src\/)?(event-store|host|messaging|object-store|relay|service-kit))\//

const pdfTools = 'shared/pdf-tools'
/** Programs that read PDFs. They run in the process of the PDF tools, which has limits, and are loaded nowhere else. */
const pdfReaders: ReadonlySet<string> = new Set(['@hyzyla/pdfium', '@cantoo/pdf-lib'])

interface Place {
  package: string
  /** The folder under `src`; empty for files directly in `src`. */
  folder: string
}

/** One line for each import that breaks a rule. */
export function importProblems(imports: Imports): string[] {
  const edges = [...imports].flatMap(([from, targets]) => targets.map((to) => ({ from, to })))
  const ofProduct = edges.filter(({ from }) => placeOf(from) && !isTestSupport(from))
  return [
    ...ofProduct.flatMap(forbidden),
    ...readersBeyond(ofProduct),
    ...folderCycles(ofProduct),
    ...fileCycles(ofProduct),
  ]
}

interface Edge {
  from: string
  to: string
}

function forbidden({ from, to }: Edge): string[] {
  const [importer, imported] = [placeOf(from), placeOf(to)]
  if (pdfReaders.has(to) && importer?.package !== pdfTools)
    return [`${from} reads PDFs beyond the process of ${pdfTools}: ${to}`]
  if (isTestSupport(to)) return [`${from} imports test support: ${to}`]
  if (from.startsWith(ofAuthors) && engines.test(to)) return [`${from} is of authors, and imports the engines: ${to}`]
  if (!importer || !imported) return []
  if (importer.package !== imported.package) {
    const isAllowed = packages[importer.package]?.includes(imported.package)
    return isAllowed ? [] : [`${from} imports another package: ${to}`]
  }
  // In a package of shared/, files at the root are its port. Elsewhere they connect the folders.
  const isUpwards = !importer.package.startsWith('shared/') && importer.folder !== '' && imported.folder === ''
  return isUpwards ? [`${from} imports a file above its folder: ${to}`] : []
}

/** Imports of files of the PDF tools, by other packages, that would load a reader. */
function readersBeyond(edges: readonly Edge[]): string[] {
  const isOfTools = (path: string) => placeOf(path)?.package === pdfTools
  const targets = Map.groupBy(edges, ({ from }) => from)
  return edges
    .filter(({ from, to }) => !isOfTools(from) && isOfTools(to))
    .flatMap(({ from, to }) => {
      const loaded = new Set([to])
      for (const file of loaded) for (const next of targets.get(file) ?? []) loaded.add(next.to)
      const reader = [...loaded].find((file) => pdfReaders.has(file))
      return reader ? [`${from} reads PDFs beyond the process of ${pdfTools}: ${to} imports ${reader}`] : []
    })
}

/** Files that only tests may import. */
function isTestSupport(path: string): boolean {
  return path === 'tap' || /^test\/|\.(test|suite)\.ts$|\/(testing|suite|fixtures)\//.test(path)
}

function placeOf(path: string): Place | undefined {
  const [, name = '', file = ''] =
    /^((?:shared|services|clients)\/[^/]+|cli|studio|deploy\/single-node)\/src\/(.+)$/.exec(path) ?? []
  if (name === '') return undefined
  return { package: name, folder: posix.dirname(file).replace(/^\.$/, '') }
}

/** Reports circles of folders in a package, for all folders and for the top ones alone. */
function folderCycles(edges: readonly Edge[]): string[] {
  const problems = new Set<string>()
  for (const depth of [1, 2, 3, 4]) {
    const folderOf = (path: string) => {
      const place = placeOf(path)
      if (place === undefined) return undefined
      return posix.join(place.package, 'src', ...place.folder.split('/').slice(0, depth))
    }
    for (const cycle of cycles(edges, folderOf)) problems.add(`folders import each other in a circle: ${cycle}`)
  }
  return [...problems]
}

/** Finds circles of files, also through type imports, which the linter does not follow. */
function fileCycles(edges: readonly Edge[]): string[] {
  const fileOf = (path: string) => (placeOf(path) ? path : undefined)
  return cycles(edges, fileOf).map((cycle) => `files import each other in a circle: ${cycle}`)
}

/** The circles in a graph of files that `nodeOf` groups. */
function cycles(edges: readonly Edge[], nodeOf: (path: string) => string | undefined): string[] {
  const graph = new Map<string, Map<string, Edge>>()
  for (const edge of edges) {
    const [from, to] = [nodeOf(edge.from), nodeOf(edge.to)]
    if (from === undefined || to === undefined || from === to) continue
    const targets = graph.get(from) ?? new Map<string, Edge>()
    graph.set(from, targets.set(to, targets.get(to) ?? edge))
  }
  const found: string[] = []
  const done = new Set<string>()
  const visit = (node: string, path: readonly string[]) => {
    if (path.includes(node)) {
      const cycle = [...path.slice(path.indexOf(node)), node]
      const examples = cycle.slice(1).map((to, index) => graph.get(cycle[index] ?? '')?.get(to))
      found.push(`${cycle.join(' → ')}${examples.map((edge) => `\n  ${edge?.from} imports ${edge?.to}`).join('')}`)
    }
    if (done.has(node)) return
    done.add(node)
    for (const next of graph.get(node)?.keys() ?? []) visit(next, [...path, node])
  }
  for (const node of graph.keys()) visit(node, [])
  return found
}

if (import.meta.main) {
  const problems = importProblems(readImports())
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
