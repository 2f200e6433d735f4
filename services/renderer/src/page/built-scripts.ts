import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** What `services/renderer/build` writes. */
export interface BuiltScripts {
  /** The hash of the sources that the scripts were built from. */
  sources: string
  /** The hash of what built them, which an image does not have. */
  builder: string
  /** By name: an expression whose value is the function, with everything that it needs. */
  scripts: Record<string, string>
}

export const builtFile = join(import.meta.dirname, '../../dist/page-scripts.json')

const sources = [join(import.meta.dirname, 'dom'), join(import.meta.dirname, 'scripts')]

/** A hash of the files that the scripts are built from. */
export function hashSources(): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesOf))
    hash
      .update(`${basename(file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return hash.update(readFileSync(join(import.meta.dirname, 'contract.ts'))).digest('hex')
}

const filesOf = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))

/** Undefined if the scripts were not built. */
export function readBuilt(): BuiltScripts | undefined {
  try {
    return JSON.parse(readFileSync(builtFile, 'utf8'))
  } catch {
    return undefined
  }
}
