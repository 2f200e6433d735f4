import { existsSync } from 'node:fs'
import { mkdir, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { compressFiles } from '../../site/src/compress-files.ts'
import { listFiles } from '../../site/src/list-files.ts'
import { bundle } from './bundle.ts'
import { sourcesHash } from './sources-hash.ts'

// Builds the studio: node studio/build/main.ts <folder>. It does nothing if the folder has the studio of these sources.

/** `<folder>/current` leads to the last studio that was completed. It is replaced by a rename, so that a kill leaves it whole. */
async function main(folder: string): Promise<void> {
  const hash = await sourcesHash()
  const current = join(folder, 'current')
  if ((await readlink(current).catch(() => '')) === hash && existsSync(join(folder, hash))) return
  console.error('platen: building the studio (about a second)')
  const out = join(folder, `part-${process.pid}`)
  await mkdir(out, { recursive: true })
  await bundle(out)
  const listed = await listFiles(out)
  const compressed = await compressFiles(out, Object.keys(listed.files))
  await writeFile(join(out, 'site.json'), JSON.stringify({ ...listed, compressed }))
  const [built, link] = [join(folder, hash), join(folder, `link-${process.pid}`)]
  await rm(built, { recursive: true, force: true })
  await rename(out, built)
  await symlink(hash, link)
  await rename(link, current)
  for (const name of await readdir(folder)) {
    if (name !== 'current' && name !== hash) await rm(join(folder, name), { recursive: true, force: true })
  }
}

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('usage: node studio/build/main.ts <folder>')
  process.exit(2)
}
await main(resolve(folder))
