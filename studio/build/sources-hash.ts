import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
/** The lockfile stands for the packages. */
const places = [
  'studio/src',
  'studio/build',
  'examples',
  'docs/reference/errors.md',
  'site/src/compress-files.ts',
  'site/src/list-files.ts',
  'site/src/publish-folder.ts',
  'pnpm-lock.yaml',
]
const isSource = /\.(tsx?|css|html|json|md|yaml)$/

/** A hash of everything that the studio is made of. */
export async function sourcesHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const place of places) {
    for (const file of await filesOf(join(root, place))) {
      hash
        .update(`${file.slice(root.length)}\0`)
        .update(await readFile(file))
        .update('\0')
    }
  }
  return hash.digest('hex').slice(0, 16)
}

async function filesOf(place: string): Promise<string[]> {
  if (isSource.test(place)) return existsSync(place) ? [place] : []
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && isSource.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
}
