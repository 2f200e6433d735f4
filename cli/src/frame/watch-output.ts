import type { Writable } from 'node:stream'
import type { Terminal } from './progress.ts'

interface Watching {
  /** The command changes nothing. */
  isReading: boolean
  errors: Pick<Terminal, 'write'>
  exit: (code: number) => void
}

/**
 * Handles output that cannot be written, for example on a full disk. A command that only reads ends; a pipe that is
 * closed early (`| head`) is no error. A command that changes something continues without output: if it stopped, nobody
 * would know where. Resolves with the exit code when everything is written.
 */
export function watchOutput(output: Writable, { isReading, errors, exit }: Watching) {
  let hasFailed = false
  output.on('error', (err: NodeJS.ErrnoException) => {
    if (isReading && err.code === 'EPIPE') return exit(0)
    if (!hasFailed) {
      const next = isReading ? '' : '; the command goes on, and what it prints from here on is lost'
      errors.write(`platen: the result cannot be written: ${err.message}${next}\n`)
    }
    hasFailed = true
    if (isReading) exit(1)
  })
  return {
    async end(code: number): Promise<number> {
      const written = Promise.withResolvers<void>()
      // An error is emitted, too, before this is called.
      output.write('', () => written.resolve())
      await written.promise
      return hasFailed && code === 0 ? 1 : code
    },
  }
}
