import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A file and the files and npm packages it imports, as paths from the root of the repository. */
export type Imports = ReadonlyMap<string, readonly string[]>

const services = ['gateway', 'notifier', 'renderer', 'template']

const references = [
  /\bnew URL\(\s*['`]([^'`$\n]+)[^,\n]*,\s*import\.meta\.url/g,
  /\bjoin\(import\.meta\.dirname,\s*['`]([^'`$\n]+)/g,
]

/** What `read` finds in every TypeScript file that git does not ignore. */
export function readImports(read: (file: string, source: string) => string[] = importsOf, root = '.'): Imports {
  const listing = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx']
  const listed = execFileSync('git', listing, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const files = listed.filter((file) => existsSync(join(root, file)))
  return new Map(files.map((file) => [file, read(file, readFileSync(join(root, file), 'utf8'))]))
}

/** Also the files and folders that it names relative to itself, such as a script that it starts. A folder ends with a slash. */
export function importsAndReferencesOf(file: string, source: string): string[] {
  const named = references
    .flatMap((pattern) => [...source.matchAll(pattern)])
    .map(([, path = '']) => posix.join(posix.dirname(file), path))
  return [...importsOf(file, source), ...named.map((path) => (/\.\w+$/.test(path) ? path : path.replace(/\/?$/, '/')))]
}

export function importsOf(file: string, source: string): string[] {
  const specifiers = [...source.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'([^'\n]+)'/g)].map(([, path = '']) => path)
  return specifiers.map((specifier) => {
    if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier)
    const [, name, path] = /^@platen\/([^/]+)\/(.+)$/.exec(specifier) ?? []
    if (specifier === '@platen/client') return 'clients/typescript/src/exports.ts'
    if (name === undefined) return specifier
    if (name === 'test-support') return `test/support/${path}`
    return `${services.includes(name) ? 'services' : 'shared'}/${name}/src/${path}`
  })
}
