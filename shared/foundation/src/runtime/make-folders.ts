import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents. Returns the first one that was created; undefined if the folder exists. With
 * `recursive`, Node.js never returns where the kernel refuses new folders with ENOENT, as in /proc.
 */
export function makeFolders(path: string, mode = 0o777): string | undefined {
  const parent = dirname(path)
  try {
    mkdirSync(path, { mode })
    return path
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(path).isDirectory()) return undefined
    if (code !== 'ENOENT' || existsSync(parent)) throw err
  }
  const first = makeFolders(parent, mode)
  makeFolders(path, mode)
  return first ?? path
}
