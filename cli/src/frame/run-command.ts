import { closestName } from '@platen/foundation/runtime/closest-name.ts'
import type { Environment } from '@platen/foundation/settings/config.ts'
import type { Command, OutputTerminal } from './command.ts'
import { helpFor, overview } from './help.ts'
import { openServices } from './open-services.ts'
import { UsageError } from './options.ts'
import { showProgress, type Terminal } from './progress.ts'

export interface Invocation {
  /** The command line without the program. */
  args: string[]
  env: Environment
  print: (line: string) => void
  errors: Terminal
  /** Default: that of the process. */
  input?: () => AsyncIterable<Uint8Array>
  /** Default: the output is a file or a pipe. */
  terminal?: OutputTerminal
  /** Aborts on Ctrl-C. */
  signal: AbortSignal
}

/**
 * Runs the command that the arguments name. Resolves with the exit code: 0 ok, 1 failed or found differences, 2 usage, or what the
 * command declares for a failure.
 */
export async function runCommand(commands: readonly Command[], invocation: Invocation): Promise<number> {
  const { args, errors } = invocation
  try {
    return await run(commands, invocation)
  } catch (err) {
    if (!(err instanceof Error)) throw err
    const isUsage = err instanceof UsageError
    const found = findCommand(commands, args)
    const help = found ? `; see ${found.command.name} --help` : '; see --help'
    errors.write(`platen: ${err.message}${isUsage ? help : ''}\n`)
    return isUsage ? 2 : (found?.command.exitFailed ?? 1)
  }
}

/** Whether the command that the arguments name only reads, or only prints its help. */
export function changesNothing(commands: readonly Command[], args: readonly string[]): boolean {
  const found = findCommand(commands, args)
  return found === undefined || asksForHelp(args) || isReading(found.command, found.rest)
}

const asksForHelp = (args: readonly string[]) => args.includes('--help') || args.includes('-h') || args[0] === 'help'

async function run(commands: readonly Command[], invocation: Invocation): Promise<number> {
  const { args, env, print, errors, terminal = { isTTY: false, hasColours: false }, signal } = invocation
  const { input = () => process.stdin } = invocation
  const found = findCommand(commands, args)
  if (args.length === 0 || asksForHelp(args)) {
    const words = args.filter((word) => !['--help', '-h', 'help'].includes(word))
    const asked = findCommand(commands, words)
    const text = asked ? helpFor(asked.command) : overview(commands, words[0])
    print(text)
    return args.length === 0 ? 2 : 0
  }
  if (!found) throw new UsageError(`unknown command "${args.slice(0, 2).join(' ')}"${suggestion(commands, args)}`)
  await using resources = new AsyncDisposableStack()
  const context = {
    ...openServices(env, resources, { isReading: isReading(found.command, found.rest) }),
    env,
    print,
    terminal,
    input,
    note: (line: string) => errors.write(`${line}\n`),
    progress: (label: string) => showProgress(label, errors),
    signal,
  }
  const result = await found.command.run(context, found.rest)
  return typeof result === 'number' ? result : 0
}

/** Every command that changes something has a dry run. */
const isReading = ({ options }: Command, args: readonly string[]) =>
  !('dry-run' in options) || args.includes('--dry-run')

function findCommand(commands: readonly Command[], args: readonly string[]) {
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(' ')
    const command = commands.find((one) => one.name === name)
    if (command) return { command, rest: args.slice(words) }
  }
  return undefined
}

function suggestion(commands: readonly Command[], args: readonly string[]): string {
  const names = commands.map(({ name }) => name)
  const verbs = names.filter((name) => name.startsWith(`${args[0]} `)).map((name) => name.slice(name.indexOf(' ') + 1))
  if (verbs.length > 0) return `; ${args[0]} has ${verbs.join(', ')}`
  const meant = closestName(args.slice(0, 2).join(' '), names)
  return meant ? `; did you mean "${meant}"?` : ''
}
