import { parseArgs } from 'node:util'
import { JavascriptOption } from '@platen/domain/document/pdf-options.ts'
import { Value } from 'typebox/value'

export const help = `Prints documents by plain Chromium and by Platen, and compares pages, sizes, text and pixels.

usage: npm run fidelity -- <folder or URL…> [options]

  <folder>          every .html file in it and below it, served by a local HTTP server
  <URL>             a document on the web

  --delay <ms>      how long each sub-resource of a folder takes to arrive (30)
  --mode <mode>     auto, on or off: whether scripts run, as in options.javascript (auto)
  --repeat <n>      how often Platen prints each document (2)
  --out <folder>    where report.html is written, with pictures of what differs (./out/fidelity)
  --url <URL>       a Platen that runs already, on this machine and with RENDER_EGRESS=any; else one is started
  --key <key>       its API key (or API_KEY)

Exit code: 0 all the same, 1 something differs, 2 wrong arguments.
`

export interface Settings {
  sources: string[]
  delayMs: number
  mode: JavascriptOption
  repeat: number
  out: string
  /** A Platen that runs already. */
  running: { url: string; apiKey: string } | undefined
}

export class WrongArguments extends Error {
  override readonly name = 'WrongArguments'
}

export function readArguments(args: string[], env: NodeJS.ProcessEnv): Settings | 'help' {
  const { values, positionals } = parse(args)
  if (values.help) return 'help'
  if (positionals.length === 0) throw new WrongArguments('name a folder or a URL to print')
  if (!Value.Check(JavascriptOption, values.mode)) throw new WrongArguments('--mode is auto, on or off')
  return {
    sources: positionals,
    delayMs: integer('--delay', values.delay, 0),
    mode: values.mode,
    repeat: integer('--repeat', values.repeat, 1),
    out: values.out,
    running: runningPlaten(values.url, values.key ?? env.API_KEY),
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        delay: { type: 'string', default: '30' },
        mode: { type: 'string', default: 'auto' },
        repeat: { type: 'string', default: '2' },
        out: { type: 'string', default: './out/fidelity' },
        url: { type: 'string' },
        key: { type: 'string' },
      },
    })
  } catch (err) {
    throw new WrongArguments(err instanceof Error ? err.message : String(err))
  }
}

function integer(name: string, text: string, min: number): number {
  const value = Number(text)
  if (text === '' || !Number.isInteger(value) || value < min) {
    throw new WrongArguments(`${name} is a whole number, ${min} or more, not "${text}"`)
  }
  return value
}

function runningPlaten(url: string | undefined, apiKey: string | undefined): Settings['running'] {
  if (url === undefined) return undefined
  if (!/^https?:/.test(url) || !URL.canParse(url))
    throw new WrongArguments(`--url is an http or https URL, not "${url}"`)
  if (!apiKey) throw new WrongArguments('--url needs an API key: pass --key or set API_KEY')
  return { url, apiKey }
}
