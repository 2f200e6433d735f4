import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type CompletedGeneration, Platen, PlatenError, unwrap } from '@platen/client'
import { printCertificates } from './print-certificates.ts'
import { type Example, type ExampleTemplate, exampleNames, readExample } from './read-example.ts'

const help = `Stores the examples as templates in a running Platen and prints each to a PDF file.

  npm run examples -- [--url http://127.0.0.1:3000] [--key pk_…] [--out ./out] [--certificates]

  --url   URL of Platen            (or PLATEN_URL; default http://127.0.0.1:3000)
  --key   API key                  (or API_KEY; \`npm start\` prints one on its first start)
  --out   folder for the files     (default ./out)
  --certificates   also prints one for each of the 200 people in examples/certificate/people.csv

A repeated run updates the templates.`

interface Settings {
  url: string
  key: string
  out: string
  certificates: boolean
}

async function main(): Promise<void> {
  const settings = readSettings()
  if (settings === 'help') return console.log(help)
  const { url, key, out, certificates } = settings
  const platen = new Platen({ url, key, retries: 1 })
  await mkdir(out, { recursive: true })
  for (const name of exampleNames) {
    const example = await readExample(name)
    await store(platen, example)
    const { sample_data, samples = {} } = example.template
    for (const [sample, data] of [['', sample_data], ...Object.entries(samples)] as const) {
      const file = join(out, sample === '' ? `${name}.pdf` : `${name}-${sample}.pdf`)
      console.log(lineOf(name, await print(platen, { template: name, data }, file), file))
    }
  }
  if (certificates) await printRun(platen, join(out, 'certificates'))
}

async function printRun(platen: Platen, out: string): Promise<void> {
  await mkdir(out, { recursive: true })
  const { sample_data: data } = (await readExample('certificate')).template
  const startedAt = performance.now()
  const onPrinted = (done: number, all: number) => process.stderr.write(`\r${done} of ${all} certificates`)
  const people = new URL('./certificate/people.csv', import.meta.url)
  const printed = await printCertificates(platen, { people, data, out, atOnce: 4, onPrinted })
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  console.log(`\n${printed} certificates in ${seconds} s, in ${out}`)
}

function readSettings(): Settings | 'help' {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: process.env.PLATEN_URL || 'http://127.0.0.1:3000' },
      key: { type: 'string', default: process.env.API_KEY || '' },
      out: { type: 'string', default: './out' },
      certificates: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  if (!URL.canParse(values.url)) throw new Error(`--url must be a URL such as http://127.0.0.1:3000, not ${values.url}`)
  if (values.key === '')
    throw new Error('No API key: pass --key or set API_KEY (`npm start` prints one on its first start)')
  return { url: values.url, key: values.key, out: values.out, certificates: values.certificates }
}

/** Stores partials and assets first, because a template is checked when it is saved. */
async function store(platen: Platen, { template, partials, assets }: Example): Promise<void> {
  for (const [name, bytes] of Object.entries(assets)) await platen.putAsset(name, bytes)
  for (const [name, html] of Object.entries(partials)) await storePartial(platen, name, html)
  await storeTemplate(platen, template)
}

async function storePartial({ api }: Platen, name: string, html: string): Promise<void> {
  const path = { idOrName: name }
  const { response } = await api.GET('/v1/partials/{idOrName}', { params: { path } })
  if (response.status === 404) await unwrap(api.POST('/v1/partials', { body: { name, html } }))
  else await unwrap(api.PATCH('/v1/partials/{idOrName}', { params: { path }, body: { html } }))
}

/** Creates the template, or changes the one with its slug. */
async function storeTemplate({ api }: Platen, { slug, ...body }: ExampleTemplate): Promise<void> {
  await unwrap(api.PUT('/v1/templates/by-slug/{slug}', { params: { path: { slug } }, body }))
}

async function print(
  platen: Platen,
  request: Parameters<Platen['generate']>[0],
  file: string,
): Promise<CompletedGeneration> {
  const generation = await platen.generate(request)
  const pdf = await platen.file(generation)
  await writeFile(file, pdf.stream)
  return generation
}

function lineOf(name: string, { pages, size, duration_ms }: CompletedGeneration, file: string): string {
  const count = pages === 1 ? '1 page ' : `${pages} pages`
  return `${name.padEnd(15)} ${count}  ${(size / 1024).toFixed(0).padStart(4)} KiB  ${String(duration_ms).padStart(5)} ms  ${file}`
}

function explain(error: unknown): string {
  if (!(error instanceof PlatenError)) return error instanceof Error ? error.message : String(error)
  const { status, code, message, requestId } = error
  if (code === 'NETWORK_ERROR') {
    return `${message}. Start Platen (npm start), or pass its URL: --url http://127.0.0.1:4000`
  }
  const hint = code === 'UNAUTHORIZED' ? '; check --key (or API_KEY)' : ''
  return `${status} ${code}: ${message}${hint}${requestId === undefined ? '' : ` (${requestId})`}`
}

try {
  await main()
} catch (err) {
  console.error(explain(err))
  process.exitCode = 1
}
