import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Preloaded in a process (`node --import`), it makes the clock of its host wrong by as many ms as the file says that WRONG_CLOCK
 * names. The clock jumps when the file is written. Monotonic clocks and timers are right.
 */
const file = process.env.WRONG_CLOCK
if (file !== undefined) {
  const { now } = Date
  let wrongMs = 0
  const read = () => {
    wrongMs = Number(readFileSync(file, 'utf8'))
  }
  read()
  setInterval(read, 100).unref()
  Date.now = () => now() + wrongMs
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [target.now()] : args, newTarget),
  })
}

/** The clock of the host of a process, as that process sees it. */
export interface HostClock {
  /** Of the process that has it. */
  settings: Record<string, string>
  /** Makes it wrong by so many ms: ahead, or behind. */
  shift(ms: number): void
}

/** It is right until it is shifted. `path`: a file that it makes. */
export function hostClock(path: string): HostClock {
  const shift = (ms: number) => writeFileSync(path, `${ms}`)
  shift(0)
  return { settings: { NODE_OPTIONS: `--import=${fileURLToPath(import.meta.url)}`, WRONG_CLOCK: path }, shift }
}
