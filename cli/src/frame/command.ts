import { resolve } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Environment, SettingsReader } from '@platen/foundation/settings/config.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { dataDir } from '@platen/service-kit/host/common-settings.ts'
import type { Progress } from './progress.ts'

export interface CommandContext {
  /** Refuses a SQLite file that does not exist, unless it may be created. */
  openStore: (options?: { create?: boolean | undefined }) => Promise<EventStore>
  openBus: () => Promise<Bus>
  /** Refuses a folder that does not exist. */
  openObjects: () => Promise<ObjectStore>
  env: Environment
  /** The arguments after the name of the command. */
  args: string[]
  /** Writes a line of the result. */
  print: (line: string) => void
  /** Writes a line for a person, to the standard error. */
  note: (line: string) => void
  /** Shows on a terminal how far a long command is. */
  progress: (label: string) => Progress
  /** Aborts on Ctrl-C. */
  signal: AbortSignal
}

export interface Command {
  synopsis: string
  summary: string
  /** A line for each option that the synopsis does not explain. */
  details?: readonly string[]
  /** A number that it resolves with is the exit code. Default: 0. */
  run(context: CommandContext): Promise<unknown>
}

/** The option of each command. With it, each line of the result is JSON. */
export const jsonOption = { json: { type: 'boolean', default: false } } as const

/** The command has found what it looks for, such as differences or a fault. The process exits with this code. */
export const exitFound = 1

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

export function noArguments(positionals: string[]): void {
  if (positionals.length > 0) throw new UsageError(`unexpected argument "${positionals[0]}"`)
}

/** A date or an RFC 3339 time, in milliseconds since the epoch. Throws UsageError. */
export function timeOption(option: string, text: string): number
export function timeOption(option: string, text: string | undefined): number | undefined
export function timeOption(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d{4}-\d\d-\d\d(T.+)?$/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(ms)) return ms
  throw new UsageError(`${option} must be a date or an RFC 3339 time, such as 2026-01-31T08:00:00Z`)
}

/** A whole number from 1. Throws UsageError. */
export function countOption(option: string, text: string): number
export function countOption(option: string, text: string | undefined): number | undefined
export function countOption(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,11}$/.test(text)) throw new UsageError(`${option} must be a whole number from 1`)
  return Number(text)
}

export function readDataDir(settings: SettingsReader): string {
  return resolve(settings.read({ dataDir }).dataDir)
}
