import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type CompletedGeneration, Platen, PlatenError, unwrap } from '@platen/client'
import { type Example, type ExampleTemplate, exampleNames, readExample } from './read-example.ts'

const help = `Stores the examples as templates in a running Platen and prints each to a PDF file.

  node examples/load-examples.ts [--url http://127.0.0.1:3000] [--key pk_…] [--out ./out]

  --url   URL of Platen            (or PLATEN_URL; default http://127.0.0.1:3000)
  --key   API key                  (or API_KEY; \`npm start\` prints one on its first start)
  --out   folder for the files     (default ./out)

A repeated run updates the templates.`

interface Settings {
  url: string
  key: string
  out: string
}

async function main(): Promise<void> {
  const settings = readSettings()
  if (settings === 'help') return console.log(help)
  const { url, key, out } = settings
  const platen = new Platen({ url, key, retries: 1 })
  await mkdir(out, { recursive: true })
  for (const name of exampleNames) {
    const example = await readExample(name)
    await store(platen, example)
    const file = join(out, `${name}.pdf`)
    console.log(lineOf(name, await print(platen, example, file), file))
  }
}

function readSettings(): Settings | 'help' {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: process.env.PLATEN_URL || 'http://127.0.0.1:3000' },
      key: { type: 'string', default: process.env.API_KEY || '' },
      out: { type: 'string', default: './out' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  if (!URL.canParse(values.url)) throw new Error(`--url must be a URL such as http://127.0.0.1:3000, not ${values.url}`)
  if (values.key === '')
    throw new Error('No API key: pass --key or set API_KEY (`npm start` prints one on its first start)')
  return { url: values.url, key: values.key, out: values.out }
}

/** What the template refers to is stored first, because a template is checked when it is saved. */
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

/** Creates the template, or updates the one with its slug. */
async function storeTemplate({ api }: Platen, { slug, ...body }: ExampleTemplate): Promise<void> {
  const path = { idOrSlug: slug }
  const { response } = await api.GET('/v1/templates/{idOrSlug}', { params: { path } })
  const isNew = response.status === 404
  if (isNew) await unwrap(api.POST('/v1/templates', { body }))
  else {
    const removed = { header_html: null, footer_html: null }
    await unwrap(api.PATCH('/v1/templates/{idOrSlug}', { params: { path }, body: { ...removed, ...body } }))
  }
}

async function print(platen: Platen, example: Example, file: string): Promise<CompletedGeneration> {
  const { slug: template, sample_data: data } = example.template
  const generation = await platen.generate({ template, data })
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
