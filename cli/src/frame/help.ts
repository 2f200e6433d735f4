import type { Command } from './command.ts'
import { alignColumns } from './table.ts'

const environment = `environment:
  DATA_DIR          the folder of \`npm start\` (default ./data)
  EVENT_STORE_URL   default sqlite:<DATA_DIR>/events.db
  OBJECT_STORE_URL  default file:<DATA_DIR>/objects, with OBJECT_STORE_ACCESS_KEY and OBJECT_STORE_SECRET_KEY for S3
  NATS_URL          default: that of \`npm start\`; with NATS_USER, NATS_PASSWORD, NATS_CREDS, NATS_CERT
                    and NATS_KEY`

const program = 'npm run --silent platen --'

/** All commands, or those of a noun such as `keys`. */
export function overview(commands: Readonly<Record<string, Command>>, noun?: string): string {
  const all = Object.entries(commands)
  const ofNoun = all.filter(([name]) => name.split(' ')[0] === noun)
  const shown = ofNoun.length > 0 ? ofNoun : all
  const lines = alignColumns(shown.map(([name, { summary }]) => [`  ${name}`, summary]))
  return `Command line for operators. Commands use the event store, NATS and the object store directly, whether Platen is running or not.

usage: ${program} <command> [options]
       ${program} <command> --help

${lines.join('\n')}

exit codes: 0 ok, 1 failed or differences found, 2 wrong usage

${environment}`
}

export function helpFor(name: string, { synopsis, summary, details = [] }: Command): string {
  const explained = details.length > 0 ? `\n\n${details.map((line) => `  ${line}`).join('\n')}` : ''
  return `usage: ${program} ${`${name} ${synopsis}`.trimEnd()}\n\n${summary}${explained}\n\n${environment}`
}
