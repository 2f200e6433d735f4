import { resolve } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import type { Bus } from '@platen/shared/messaging/connection/bus.ts'
import type { Environment, SettingsReader } from '@platen/shared/runtime/config.ts'

export interface CommandContext {
  /** Refuses a SQLite file that does not exist, unless it may be created. */
  openStore: (options?: { create?: boolean | undefined }) => Promise<EventStore>
  openBus: () => Promise<Bus>
  env: Environment
  /** The arguments after the name of the command. */
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

/** The command line is invalid. The process exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** `util.parseArgs`, which throws UsageError. */
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

/** The only positional argument. */
export function onlyArgument(positionals: string[], name: string): string {
  const [value, ...more] = positionals
  if (value === undefined || more.length > 0) throw new UsageError(`expected exactly one ${name}`)
  return value
}

export function readDataDir(settings: SettingsReader): string {
  return resolve(settings.text('DATA_DIR', { default: './data' }))
}
