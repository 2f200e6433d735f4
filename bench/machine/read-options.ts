import { parseArgs } from 'node:util'

type Options = Record<string, { type: 'string'; default?: string } | { type: 'boolean'; default?: boolean }>

/** The options of a benchmark. Ends the process after `--help`, and with code 2 and `help` for an option that is unknown. */
export function readOptions<const Given extends Options>(help: string, options: Given) {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help)
    process.exit(0)
  }
  try {
    return parseArgs({ args, options }).values
  } catch (err) {
    process.stderr.write(`${err instanceof Error ? err.message : err}\n\n${help}`)
    process.exit(2)
  }
}
