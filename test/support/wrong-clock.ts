import { readFileSync } from 'node:fs'
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

/** Settings of a process whose clock is wrong by what the file says. */
export const withWrongClock = (path: string): Record<string, string> => ({
  NODE_OPTIONS: `--import=${fileURLToPath(import.meta.url)}`,
  WRONG_CLOCK: path,
})
