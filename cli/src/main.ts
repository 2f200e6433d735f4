import { commands } from './commands.ts'
import { changesNothing, runCommand } from './frame/run-command.ts'
import { watchOutput } from './frame/watch-output.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
const args = process.argv.slice(2)
const errors = { isTTY: process.stderr.isTTY === true, write: (text: string) => process.stderr.write(text) }
// The reader of the error output has closed it: there is nobody to report to.
process.stderr.on('error', () => {})
const isReading = changesNothing(commands, args)
const output = watchOutput(process.stdout, { isReading, errors, exit: (code) => process.exit(code) })
const isTTY = process.stdout.isTTY === true
const code = await runCommand(commands, {
  args,
  env: process.env,
  print: (line) => console.log(line),
  errors,
  terminal: { isTTY, hasColours: isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb' },
  signal: stop.signal,
})
// A connection that is still being opened would keep the process alive.
process.exit(await output.end(code))
