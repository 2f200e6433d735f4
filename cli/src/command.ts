import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import type { Bus } from '@platen/shared/messaging/bus.ts'

export interface CommandContext {
  openStore: () => Promise<EventStore>
  openBus: () => Promise<Bus>
  /** What stands behind the command's name. */
  args: string[]
  print: (line: string) => void
  /** Aborts on Ctrl-C. */
  signal: AbortSignal
}

export interface Command {
  synopsis: string
  summary: string
  run(context: CommandContext): Promise<void>
}

/** The command line itself is wrong: ends with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** `util.parseArgs`, with its complaints as UsageError. */
export function parseOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (err) {
    throw new UsageError(err instanceof Error ? err.message : String(err))
  }
}

/** Exactly one positional argument. */
export function onlyArgument(positionals: string[], name: string): string {
  const [value, ...more] = positionals
  if (value === undefined || more.length > 0) throw new UsageError(`exactly one ${name} is wanted`)
  return value
}
