import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What `services/renderer/build` writes. */
export interface BuiltScripts {
  /** The hash of the sources that the scripts were built from. */
  sources: string
  /** By name: an expression whose value is the function, with everything that it needs. */
  scripts: Record<string, string>
}

export const builtFile = join(import.meta.dirname, '../../dist/page-scripts.json')

/** A hash of the files that the scripts are built from. */
export function hashSources(): string {
  const hash = createHash('sha256')
  for (const folder of ['dom', 'scripts']) {
    for (const name of readdirSync(join(import.meta.dirname, folder)).sort()) {
      hash
        .update(`${folder}/${name}\0`)
        .update(readFileSync(join(import.meta.dirname, folder, name)))
        .update('\0')
    }
  }
  return hash.update(readFileSync(join(import.meta.dirname, 'contract.ts'))).digest('hex')
}

/** Undefined if the scripts were not built. */
export function readBuilt(): BuiltScripts | undefined {
  try {
    return JSON.parse(readFileSync(builtFile, 'utf8'))
  } catch {
    return undefined
  }
}
