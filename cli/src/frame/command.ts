import { resolve } from 'node:path'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Environment, SettingsReader } from '@platen/foundation/settings/config.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { dataDir } from '@platen/service-kit/host/common-settings.ts'
import { type Options, parseOptions, UsageError, type Values } from './options.ts'
import type { Progress } from './progress.ts'

export interface CommandContext {
  /**
   * Opens the event store as the services do: events have their newest version, and unreadable ones are left out.
   * Refuses a SQLite file that does not exist, unless it may be created.
   */
  openStore: (options?: { create?: boolean | undefined }) => Promise<EventStore>
  /** Opens the event store without upcasting: events are shown and copied as they were recorded. */
  openLog: () => Promise<EventStore>
  openBus: () => Promise<Bus>
  /** Refuses a folder that does not exist. */
  openObjects: () => Promise<ObjectStore>
  env: Environment
  /** Writes a line of the result. */
  print: (line: string) => void
  /** Writes a line for a person, to the standard error. */
  note: (line: string) => void
  /** The terminal that `print` writes to. */
  terminal: OutputTerminal
  /** The standard input, for commands that read it. */
  input: () => AsyncIterable<Uint8Array>
  /** Shows on a terminal how far a long command is. */
  progress: (label: string) => Progress
  /** Aborts on Ctrl-C. */
  signal: AbortSignal
}

export interface OutputTerminal {
  /** Whether the output is a terminal. */
  isTTY: boolean
  hasColours: boolean
}

export interface Command {
  /** One or two words, such as `keys issue`. */
  name: string
  summary: string
  /** How its arguments are written in the usage. */
  argument: string
  options: Options
  notes: readonly string[]
  /** The exit code of a failure. */
  exitFailed: number
  /** Reads the arguments after the name. A number that it resolves with is the exit code. Default: 0. Throws UsageError. */
  run(context: CommandContext, args: readonly string[]): Promise<unknown>
}

/** The argument of a command. */
export interface Argument<Value> {
  usage: string
  /** Throws UsageError. */
  read(positionals: string[]): Value
}

interface Declaration<All extends Options, Value> {
  name: string
  summary: string
  /** Default: none. */
  argument?: Argument<Value>
  /** Besides `--json`, which every command has. */
  options?: All
  /** Lines of the help that no option explains. */
  notes?: readonly string[]
  /** The exit code of a failure. Default: 1. */
  exitFailed?: number
  run(context: CommandContext, input: Values<All> & { json: boolean; argument: Value }): Promise<unknown>
}

const jsonOption = { json: { about: 'prints each line of the result as JSON' } } as const

/** Everything about a verb: the command line is parsed, and its help and its entry in docs/ are written, from this. */
export function defineCommand<const All extends Options = Record<never, never>, Value = undefined>(
  declaration: Declaration<All, Value>,
): Command {
  const { name, summary, notes = [], exitFailed = 1, run } = declaration
  const argument = declaration.argument ?? (nothing as Argument<Value>)
  const options = { ...declaration.options, ...jsonOption }
  return {
    name,
    summary,
    notes,
    exitFailed,
    options,
    argument: argument.usage,
    async run(context, args) {
      const { values, positionals } = parseOptions(args, options)
      const input = { ...(values as Values<All> & { json: boolean }), argument: argument.read(positionals) }
      return run(context, input)
    },
  }
}

/** Exit code of a command that has found what it searches for, such as differences or a fault. */
export const exitFound = 1

const nothing: Argument<undefined> = {
  usage: '',
  read([first]) {
    if (first !== undefined) throw new UsageError(`unexpected argument "${first}"`)
    return undefined
  },
}

/** Exactly one, such as `key id`. */
export const one = (what: string): Argument<string> => ({
  usage: `<${what}>`,
  read([value, ...more]) {
    if (value === undefined || more.length > 0) throw new UsageError(`expected exactly one ${what}`)
    return value
  },
})

/** One or none. */
export const optional = (what: string): Argument<string | undefined> => ({
  usage: `[<${what}>]`,
  read([value, ...more]) {
    if (more.length > 0) throw new UsageError(`expected one ${what} or none`)
    return value
  },
})

/** Any number of them; the command decides whether there may be none. */
export const any = (what: string): Argument<string[]> => ({ usage: `[<${what}>…]`, read: (values) => values })

export function readDataDir(settings: SettingsReader): string {
  return resolve(settings.read({ dataDir }).dataDir)
}
