import type { Command } from './command.ts'
import { type Option, type Options, valueForms } from './options.ts'
import { alignColumns } from './table.ts'

const environment = `environment, of templates, partials, assets and batches:
  PLATEN_URL        the gateway (default http://127.0.0.1:3000)
  API_KEY           with the scopes templates:read and templates:write, for batches generate and generations:read,
                    and for templates diff --pages generate

environment, of all other commands:
  DATA_DIR          the folder of \`npm start\` (default ./data)
  EVENT_STORE_URL   default sqlite:<DATA_DIR>/events.db
  OBJECT_STORE_URL  default file:<DATA_DIR>/objects, with OBJECT_STORE_ACCESS_KEY and OBJECT_STORE_SECRET_KEY for S3
  NATS_URL          default: that of \`npm start\`; with NATS_USER, NATS_PASSWORD, NATS_CREDS, NATS_CERT
                    and NATS_KEY`

const program = 'npm run --silent platen --'

/** All commands, or those of a noun such as `keys`. */
export function overview(commands: readonly Command[], noun?: string): string {
  const ofNoun = commands.filter(({ name }) => name.split(' ')[0] === noun)
  const shown = ofNoun.length > 0 ? ofNoun : commands
  const lines = alignColumns(shown.map(({ name, summary }) => [`  ${name}`, summary]))
  return `Command line. Authors edit templates over HTTP with an API key. Operators use the event store, NATS and the object store directly,
whether Platen is running or not.

usage: ${program} <command> [options]
       ${program} <command> --help

${lines.join('\n')}

exit codes: 0 ok, 1 failed or differences found, 2 wrong usage; of templates diff: 1 differences found, 2 failed or wrong usage

${environment}`
}

export function helpFor(command: Command): string {
  const { options, notes } = command
  const explained = [...alignColumns(explainOptions(options)), ...formsOf(options), ...notes].map((line) => `  ${line}`)
  return `usage: ${program} ${usageOf(command)}\n\n${command.summary}\n\n${explained.join('\n')}\n\n${environment}`
}

/** `keys rotate <key id> [--grace DURATION] [--json]` */
export function usageOf({ name, argument, options }: Pick<Command, 'name' | 'argument' | 'options'>): string {
  const shown = Object.entries(options).map(([option, { required, multiple, ...rest }]) => {
    const text = withValue(option, rest)
    return `${required ? text : `[${text}]`}${multiple ? '…' : ''}`
  })
  return [name, argument, ...shown].filter((part) => part !== '').join(' ')
}

/** How each option is written, and what it does. */
export function explainOptions(options: Options): [written: string, explained: string][] {
  return Object.entries(options).map(([name, option]) => {
    const { about, default: usual } = option
    return [withValue(name, option), usual === undefined ? about : `${about} (default ${usual})`]
  })
}

/** The explanation of TIME and DURATION, if an option has them. */
function formsOf(options: Options): string[] {
  const named = new Set(Object.values(options).map(({ value }) => value))
  return Object.entries(valueForms).flatMap(([name, form]) => (named.has(name) ? `${name}: ${form}` : []))
}

const withValue = (name: string, { value }: Pick<Option, 'value'>) =>
  value === undefined ? `--${name}` : `--${name} ${value}`
