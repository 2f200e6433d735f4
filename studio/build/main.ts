import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isCurrent, publishFolder, removeAllBut } from '../../site/src/publish-folder.ts'
import { bundle } from './bundle.ts'
import { sourcesHash } from './sources-hash.ts'

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
