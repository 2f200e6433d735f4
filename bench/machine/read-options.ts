import { parseArgs } from 'node:util'

type Options = Record<string, { type: 'string'; default?: string } | { type: 'boolean'; default?: boolean }>

/** These must be positive: otherwise a benchmark would measure nothing and report no error. */
const numbers = ['rounds', 'runs', 'seconds', 'pdf-bytes']

/** The options of a benchmark. Ends the process after `--help`, and with code 2 and `help` for an option that is unknown. */
export function readOptions<const Given extends Options>(help: string, options: Given) {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help)
    process.exit(0)
  }
  try {
    const { values } = parseArgs({ args, options })
    for (const [name, value] of Object.entries(values)) requireNumber(name, value)
    return values
  } catch (err) {
    process.stderr.write(`${err instanceof Error ? err.message : err}\n\n${help}`)
    process.exit(2)
  }
}

function requireNumber(name: string, value: unknown): void {
  if (numbers.includes(name) && !(Number(value) > 0)) throw new Error(`--${name} must be a number above 0: ${value}`)
}
