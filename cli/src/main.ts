import { commands } from './commands.ts'
import { runCommand } from './frame/run-command.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
// Closing the pipe early (`| head`) is not an error.
process.stdout.on('error', () => process.exit(0))

const isTTY = process.stdout.isTTY === true
const code = await runCommand(commands, {
  args: process.argv.slice(2),
  env: process.env,
  print: (line) => console.log(line),
  errors: { isTTY: process.stderr.isTTY === true, write: (text) => process.stderr.write(text) },
  terminal: { isTTY, hasColours: isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb' },
  signal: stop.signal,
})
// A connection that is still being opened would keep the process alive.
process.stdout.write('', () => process.exit(code))
