import { parseArgs } from 'node:util'
import { startPlaten } from '@platen/test-support/platen.ts'
import { textTable } from '../../bench/report/text-table.ts'
import { generators } from './generators.ts'
import { hasFailed, type Result, tryGenerator } from './try-generator.ts'
import { openWorkplace } from './workplace.ts'

const help = `usage: npm run test:generators -- [options]

Generates clients from the description of a running Platen, compiles them, and makes ten calls with each. Takes the generators that
the machine has the language for, and installs them from the registries of their languages, outside of this folder.

  --only NAME       only the generators with this text in their name
  --list            print the names and versions, and what each needs
  --keep            keep the generated code, and print where it is
  --url URL         use a running Platen, with API_KEY
`

const { API_KEY = '' } = process.env
const say = (line: string) => console.log(line)
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    url: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const chosen = generators.filter(({ name }) => name.includes(values.only))

if (values.help) say(help)
else if (values.list) for (const { name, version, needs } of chosen) say(`${name} ${version}: ${needs.join(', ')}`)
else process.exitCode = (await tryAll()).some(hasFailed) ? 1 : 0

async function tryAll(): Promise<Result[]> {
  if (chosen.length === 0) throw new Error(`no generator has ${values.only} in its name: --list prints them`)
  await using stack = new AsyncDisposableStack()
  const { url, apiKey } = values.url ? { url: values.url, apiKey: API_KEY } : stack.use(await startPlaten())
  const place = stack.use(await openWorkplace({ url, apiKey }, { keep: values.keep }))
  const results: Result[] = []
  for (const generator of chosen) {
    say(`${generator.name} ${generator.version}`)
    const result = await tryGenerator(generator, place)
    if (hasFailed(result)) say(result.output?.split('\n').slice(-60).join('\n') ?? '')
    results.push(result)
  }
  const header = ['generator', 'version', 'flags', 'generate', 'compile', 'ten calls']
  say(`\n${textTable(header, results.map(rowOf))}`)
  if (values.keep) say(`\nthe generated code is in ${place.folder}`)
  return results
}

function rowOf({ generator, skipped, generate = '', compile = '', calls = '' }: Result): string[] {
  const { name, version, flags } = generator
  return skipped
    ? [name, version, flags, `skipped: ${skipped}`, '', '']
    : [name, version, flags, generate, compile, calls]
}
