import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Generation } from '@platen/shared/contracts/generation.ts'
import { ErrorEnvelope } from '@platen/shared/contracts/http.ts'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Example, exampleNames, readExample } from './read-example.ts'

const help = `Stores the examples as templates in a running Platen and prints each to a PDF file.

  node examples/load-examples.ts [--url http://127.0.0.1:3000] [--key pk_…] [--out ./out]

  --url   URL of Platen            (or PLATEN_URL; default http://127.0.0.1:3000)
  --key   API key                  (or API_KEY; \`npm start\` prints one on its first start)
  --out   folder for the files     (default ./out)

A repeated run updates the templates.`

interface Request {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: object
}

interface Settings {
  url: string
  key: string
  out: string
}

const envelope = Compile(ErrorEnvelope)
const completed = Compile(Type.Required(Type.Pick(Generation, ['url', 'pages', 'size', 'duration_ms'])))

async function main(): Promise<void> {
  const settings = readSettings()
  if (settings === 'help') return console.log(help)
  await mkdir(settings.out, { recursive: true })
  for (const name of exampleNames) console.log(await load(await readExample(name), settings))
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
  return { url: values.url.replace(/\/+$/, ''), key: values.key, out: values.out }
}

async function load(example: Example, settings: Settings): Promise<string> {
  await store(example, settings)
  const { slug: template, sample_data: data, options } = example
  const answer = await call({ method: 'POST', path: '/v1/generate', body: { template, data, options } }, settings)
  const { url, pages, size, duration_ms } = completed.Parse(await answer.json())
  const file = join(settings.out, `${template}.pdf`)
  await writeFile(file, await download(url))
  const count = pages === 1 ? '1 page ' : `${pages} pages`
  return `${template.padEnd(15)} ${count}  ${(size / 1024).toFixed(0).padStart(4)} KiB  ${String(duration_ms).padStart(5)} ms  ${file}`
}

/** Creates the template, or updates the one with its slug. */
async function store({ slug, name, html, sample_data }: Example, settings: Settings): Promise<void> {
  const body = { name, html, sample_data }
  const found = await call({ method: 'GET', path: `/v1/templates/${slug}` }, settings, [404])
  await found.body?.cancel()
  const request: Request =
    found.status === 404
      ? { method: 'POST', path: '/v1/templates', body }
      : { method: 'PATCH', path: `/v1/templates/${slug}`, body }
  const saved = await call(request, settings)
  await saved.body?.cancel()
}

/** Returns a response with a success status or one of the `expected` statuses. Otherwise throws the error of the body. */
async function call(
  { method, path, body }: Request,
  { url, key }: Settings,
  expected: number[] = [],
): Promise<Response> {
  const response = await send(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (response.ok || expected.includes(response.status)) return response
  throw new Error(`${method} ${path}: ${await errorMessage(response)}`)
}

/** A file URL is signed and needs no API key. */
async function download(url: string): Promise<Uint8Array> {
  const response = await send(url)
  if (!response.ok) throw new Error(`GET ${new URL(url).pathname}: ${await errorMessage(response)}`)
  return response.bytes()
}

async function send(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) })
  } catch (err) {
    throw new Error(
      `No answer from ${new URL(url).origin}. Start Platen (npm start), or pass its URL: --url http://127.0.0.1:4000`,
      { cause: err },
    )
  }
}

async function errorMessage(response: Response): Promise<string> {
  const text = await response.text()
  const body: unknown = response.headers.get('content-type')?.startsWith('application/json')
    ? JSON.parse(text)
    : undefined
  if (!envelope.Check(body)) return `${response.status} ${response.statusText}without an error of Platen`
  const hint = response.status === 401 ? '; check --key (or API_KEY)' : ''
  return `${response.status} ${body.error.code}: ${body.error.message}${hint} (${body.request_id})`
}

try {
  await main()
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  process.exitCode = 1
}
