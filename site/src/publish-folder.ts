import { existsSync } from 'node:fs'
import { readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compressFiles } from './compress-files.ts'
import { listFiles } from './list-files.ts'

/** Whether `<folder>/current` leads to what was built from the sources with this hash. */
export async function isCurrent(folder: string, hash: string): Promise<boolean> {
  return (await readlink(join(folder, 'current')).catch(() => '')) === hash && existsSync(join(folder, hash))
}

/**
 * Lists and compresses the files in `built`, a folder inside of `folder`, as the gateway reads them, and lets `<folder>/current` lead
 * to them. It is replaced by a rename, so that a kill at any time leaves what was there.
 */
export async function publishFolder(folder: string, { built, hash }: { built: string; hash: string }): Promise<void> {
  const listed = await listFiles(built)
  const compressed = await compressFiles(built, Object.keys(listed.files))
  await writeFile(join(built, 'site.json'), JSON.stringify({ ...listed, compressed }))
  const [published, link] = [join(folder, hash), `${built}-link`]
  // A build that was killed before it became the current one.
  await rm(published, { recursive: true, force: true })
  await rename(built, published)
  await symlink(hash, link)
  await rename(link, join(folder, 'current'))
}

/** Removes earlier builds, and what killed ones have left. */
export async function removeAllBut(folder: string, hash: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name !== 'current' && name !== hash) await rm(join(folder, name), { recursive: true, force: true })
  }
}
