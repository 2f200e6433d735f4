import child_process from 'node:child_process'
import { openSync, writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { runProcess } from '@platen/service-kit/host/run-process.ts'

/** The file in the data folder that lists each DevTools command, one a line. */
export const commandsFile = 'devtools-commands'

// What `npm start` runs, with each command to a browser written to that file before it is sent.
if (import.meta.main) {
  const spawn = child_process.spawn
  const file = openSync(join(process.env.DATA_DIR ?? '.', commandsFile), 'a')
  const count = (chunk: unknown) => {
    const methods = String(chunk).matchAll(/(?:^|\0)\{"id":\d+,"method":"([\w.]+)"/g)
    writeSync(
      file,
      methods.reduce((lines, [, method]) => `${lines}${method}\n`, ''),
    )
  }
  child_process.spawn = ((...args: Parameters<typeof spawn>) => {
    const child = spawn(...args)
    // A browser reads its commands from the fourth of its files; see --remote-debugging-pipe.
    const input = child.stdio[3] as Writable | null | undefined
    if (input) {
      const write = input.write.bind(input) as (...args: unknown[]) => boolean
      input.write = (...args: unknown[]) => {
        count(args[0])
        return write(...args)
      }
    }
    return child
  }) as typeof spawn
  syncBuiltinESMExports()
  const { startPlaten } = await import('../../../deploy/single-node/src/main.ts')
  process.exit(await runProcess('platen', process.env, startPlaten()))
}
