import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type CompletedGeneration, Platen, PlatenError } from '@platen/client'
import { printBoardReport, storeBoardReport } from './print-board-report.ts'
import { printCertificates } from './print-certificates.ts'
import { fillForm, printSignedLetter } from './print-more.ts'
import { exampleNames, readExample } from './read-example.ts'
import { storeExample } from './store-example.ts'

const help = `Stores the examples as templates in a running Platen and prints each to a PDF file.

  npm run examples -- [--url http://127.0.0.1:3000] [--key pk_…] [--out ./out] [--sign example] [--certificates]

  --url   URL of Platen            (or PLATEN_URL; default http://127.0.0.1:3000)
  --key   API key                  (or API_KEY; \`npm start\` prints one on its first start)
  --out   folder for the files     (default ./out)
  --sign  also prints the letter with a signature of this signing key of the deployment
  --certificates   also prints one for each of the 200 people in examples/certificate/people.csv

A repeated run updates the templates.`

interface Settings {
  url: string
  key: string
  out: string
  sign: string | undefined
  certificates: boolean
}

async function main(): Promise<void> {
  const settings = readSettings()
  if (settings === 'help') return console.log(help)
  const { url, key, out, sign, certificates } = settings
  const platen = new Platen({ url, key, retries: 1 })
  await mkdir(out, { recursive: true })
  for (const name of exampleNames) {
    const example = await readExample(name)
    await storeExample(platen, example)
    const { sample_data, samples = {} } = example.template
    for (const [sample, data] of [['', sample_data], ...Object.entries(samples)] as const) {
      const file = join(out, sample === '' ? `${name}.pdf` : `${name}-${sample}.pdf`)
      const generation = await platen.generate({ template: name, data })
      await save(platen, { name, generation, file })
      if (name === 'membership-form') {
        await save(platen, {
          name,
          generation: await fillForm(platen, generation),
          file: join(out, `${name}-filled.pdf`),
        })
      }
    }
  }
  const report = await printBoardReport(platen, await storeBoardReport(platen))
  await save(platen, { name: 'board-report', generation: report, file: join(out, 'board-report.pdf') })
  if (sign !== undefined) {
    const letter = await printSignedLetter(platen, sign)
    await save(platen, { name: 'signed-letter', generation: letter, file: join(out, 'signed-letter.pdf') })
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
      sign: { type: 'string' },
      certificates: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  if (!URL.canParse(values.url)) throw new Error(`--url must be a URL such as http://127.0.0.1:3000, not ${values.url}`)
  if (values.key === '')
    throw new Error('No API key: pass --key or set API_KEY (`npm start` prints one on its first start)')
  return { url: values.url, key: values.key, out: values.out, sign: values.sign, certificates: values.certificates }
}

interface Saved {
  name: string
  generation: CompletedGeneration
  file: string
}

async function save(platen: Platen, { name, generation, file }: Saved): Promise<void> {
  const pdf = await platen.file(generation)
  await writeFile(file, pdf.stream)
  console.log(lineOf(name, generation, file))
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
