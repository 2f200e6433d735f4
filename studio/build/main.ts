import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isCurrent, publishFolder, removeAllBut } from '../../site/src/publish-folder.ts'
import { bundle } from './bundle.ts'

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
async function sourcesHash(): Promise<string> {
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

// Builds the studio: node studio/build/main.ts <folder>. It does nothing if the folder has the studio of these sources.

async function main(folder: string): Promise<void> {
  const hash = await sourcesHash()
  if (await isCurrent(folder, hash)) return
  console.error('platen: building the studio (about a second)')
  const built = join(folder, `part-${process.pid}`)
  await mkdir(built, { recursive: true })
  await bundle(built)
  await publishFolder(folder, { built, hash })
  await removeAllBut(folder, hash)
}

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('usage: node studio/build/main.ts <folder>')
  process.exit(2)
}
await main(resolve(folder))
