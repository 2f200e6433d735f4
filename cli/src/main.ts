import { commands } from './commands.ts'
import { runCommand } from './frame/run-command.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
// Closing the pipe early (`| head`) is not an error.
process.stdout.on('error', () => process.exit(0))

process.exitCode = await runCommand(commands, {
  args: process.argv.slice(2),
  env: process.env,
  print: (line) => console.log(line),
  errors: { isTTY: process.stderr.isTTY === true, write: (text) => process.stderr.write(text) },
  signal: stop.signal,
})
