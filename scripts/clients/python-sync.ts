import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a file for asyncio has, and what one that blocks has instead. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/\b(?:async|await) /g, ''],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\basynccontextmanager\b/g, 'contextmanager'],
  [/__a(enter|exit|iter)__/g, '__$1__'],
  [/\ba(close|iter_bytes|next|read)\b/g, '$1'],
  [/ for asyncio\b/g, ''],
  // An asynchronous generator has no `yield from`.
  [/^( *)for (\w+) in (.+):\n\1 {4}yield \2$/gm, '$1yield from $3'],
]

const ofAsyncio = /^.*(?:\basync|\bawait\b|\bAsync(?=[A-Z])|__a(?:enter|exit|iter|next)__).*$/m

/** The blocking twin of a Python file for asyncio. Words are replaced, as httpcore does. Throws if one for asyncio is left. */
export function withoutAsyncio(source: string, name: string): string {
  const text = replacements.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), source)
  const [line] = ofAsyncio.exec(text) ?? []
  if (line !== undefined) throw new Error(`${name}: add to scripts/clients/python-sync.ts what blocks: ${line.trim()}`)
  return `# Made by \`npm run generate\` from ${name}. Edit that file.\n${text}`
}

/** Files of the Python client that are written by hand in both folders. */
export const handWritten: readonly string[] = ['__init__.py', 'network.py']

/** The files of the Python client that blocks, and of its tests, that are made from those for asyncio. */
export function pythonSyncFiles(root: string): { path: string; text: string }[] {
  const twin = (folder: string, from: string, to: string) => ({
    path: join(root, folder, to),
    text: withoutAsyncio(readFileSync(join(root, folder, from), 'utf8'), from),
  })
  const client = 'clients/python/src/platen'
  const names = readdirSync(join(root, client, '_async')).filter((name) => name.endsWith('.py'))
  return [
    ...names
      .filter((name) => !handWritten.includes(name))
      .map((name) => twin(client, `_async/${name}`, `_sync/${name}`)),
    twin('clients/python/tests', 'async_calls.py', 'sync_calls.py'),
  ]
}
