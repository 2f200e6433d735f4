import type { Writable } from 'node:stream'
import type { Terminal } from './progress.ts'

interface Watching {
  /** The command changes nothing. */
  isReading: boolean
  errors: Pick<Terminal, 'write'>
  exit: (code: number) => void
}

/**
 * What becomes of a result that cannot be written, for example as the disk is full. A command that only reads ends: closing the pipe
 * early (`| head`) is no error of it. One that changes something goes on without output, as nobody would know where it has ended.
 * Resolves with the exit code when all was written.
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
