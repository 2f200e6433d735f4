import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The wall clock of a process. One that only runs forward is not changed. */
export interface Clock {
  /** It is ahead by so many ms, or behind. */
  shift(ms: number): Promise<void>
}

/** The settings of a process with a clock of its own, and the clock. */
export function clockOf(name: string, folder: string): { settings: Record<string, string>; clock: Clock } {
  const file = join(folder, `${name}.clock`)
  const preload = new URL('shifted-clock.ts', import.meta.url).href
  return {
    settings: { NODE_OPTIONS: `--import=${preload}`, SHIFTED_CLOCK: file },
    clock: {
      async shift(ms) {
        // Whole, or as it was.
        await writeFile(`${file}.new`, String(ms))
        await rename(`${file}.new`, file)
      },
    },
  }
}
