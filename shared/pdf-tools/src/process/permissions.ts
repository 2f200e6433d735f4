import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder with the sources and the packages. In an image, too, it has `shared` and `node_modules`. */
const root = fileURLToPath(new URL('../../../../', import.meta.url))

/**
 * The flags of Node.js that let a process read only its code: not keys, data, settings or other processes. It can neither write
 * files nor start processes or threads.
 */
export function permissionFlags({ NODE_COMPILE_CACHE }: { NODE_COMPILE_CACHE?: string } = {}): string[] {
  const code = [`${root}shared`, `${root}node_modules`]
  // Node.js reads modules by their real paths.
  const folders = new Set([...code, ...code.map((folder) => realpathSync(folder))])
  if (NODE_COMPILE_CACHE) folders.add(NODE_COMPILE_CACHE)
  return ['--permission', ...[...folders].map((folder) => `--allow-fs-read=${folder}`)]
}
