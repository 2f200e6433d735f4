import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A dependency that a file of the repository names. */
export interface Dependency {
  name: string
  /** The file, from the root of the repository. */
  file: string
}

/** The dependencies of every package.json, go.mod and pyproject.toml, without packages of the workspace. */
export function readDependencies(root: string): Dependency[] {
  const listing = [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '*package.json',
    '*go.mod',
    '*pyproject.toml',
  ]
  const files = execFileSync('git', listing, { cwd: root, encoding: 'utf8' }).split('\n')
  return files.flatMap((file) => {
    // Clients that a test generates have what their generator names, and public clients of Gotenberg are what is tested.
    if (file === '' || /^test\/(generators|gotenberg\/clients)\//.test(file)) return []
    return namesIn(file, readFileSync(`${root}/${file}`, 'utf8')).map((name) => ({ name, file }))
  })
}

/** The names of the packages in the text of a manifest. */
export function namesIn(file: string, text: string): string[] {
  if (file.endsWith('go.mod'))
    return [...text.matchAll(/^(?:require)?\s+(\S+\.\S+) v\S+$/gm)].map(([, name = '']) => name)
  if (file.endsWith('pyproject.toml')) {
    const lists = [...text.matchAll(/^(?:dependencies|requires) = \[([^\]]*)\]/gm)].map(([, list = '']) => list)
    return lists.flatMap((list) => [...list.matchAll(/"([\w.-]+)/g)].map(([, name = '']) => name))
  }
  const manifest: Record<string, Record<string, string> | undefined> = JSON.parse(text)
  const groups = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
  const listed = groups.flatMap((group) => Object.entries(manifest[group] ?? {}))
  return listed.filter(([, version]) => !version.startsWith('workspace:')).map(([name]) => name)
}
