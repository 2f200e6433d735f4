import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Print {
  /** How long a print takes. */
  ms: number
  /** The size of each PDF. */
  bytes: number
}

const program = fileURLToPath(new URL('stand-in-browser.ts', import.meta.url))

/**
 * Writes an executable into a folder, and resolves with its path, which a renderer of this bench gets as CHROMIUM_PATH. Platen itself
 * knows no such browser.
 */
export async function writeStandIn(folder: string, { ms, bytes }: Print): Promise<string> {
  const path = join(folder, 'stand-in-browser')
  const lines = ['#!/bin/sh', `exec '${process.execPath}' '${program}' ${ms} ${bytes} "$@"`, '']
  await writeFile(path, lines.join('\n'), { mode: 0o755 })
  return path
}
