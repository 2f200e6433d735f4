import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../test/support/free-port.ts'
import { testApiKey } from '../test/support/platen.ts'
import { invoice } from './documents/documents.ts'
import { readOptions } from './machine/read-options.ts'
import { median, medianInterval } from './machine/statistics.ts'
import { watchOthers } from './machine/used-by-others.ts'
import { between, significant, textTable } from './report/text-table.ts'
import { type HttpClient, openHttpClient } from './strategies/http-client.ts'
import { openPlaten } from './strategies/running-platen.ts'

const help = `Usage: node bench/pdf-tools.ts [options]

Sends the same requests to Platen's port for clients of Gotenberg and to a running Gotenberg (GOTENBERG_URL), in turn: an invoice of HTML,
the merge of 10 PDFs, the split of 10 pages, and a password. Prints how long a request takes, how many times as long as with Gotenberg, and
the floor, which is qpdf alone doing the same to files. The limit is twice the time of Gotenberg. Exits with code 1 above it.

  --rounds <n>    of each request with each program (15)
  --seconds <n>   of a round (1)
  --clients <n>   at once (1)
  --only <text>   only the requests whose name contains this text
`

const limit = 2
const pages = 10

const values = readOptions(help, {
  rounds: { type: 'string', default: '15' },
  seconds: { type: 'string', default: '1' },
  clients: { type: 'string', default: '1' },
  only: { type: 'string', default: '' },
})

interface Form {
  path: string
  body: Buffer
  type: string
}

interface Work {
  name: string
  form: Form
  /** What qpdf does in place of it. */
  floor?: readonly string[]
}

interface Program {
  name: string
  client: HttpClient
}

async function formOf(
  path: string,
  fields: Record<string, string>,
  files: Record<string, string | Buffer>,
): Promise<Form> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const [name, content] of Object.entries(files)) form.append('files', new File([content], name))
  const request = new Response(form)
  return { path, type: request.headers.get('content-type') ?? '', body: Buffer.from(await request.arrayBuffer()) }
}

async function send({ name, client }: Program, { path, body, type }: Form): Promise<Buffer> {
  const answer = await client.post(path, body, { 'content-type': type })
  if (answer.status === 200) return answer.body
  throw new Error(`${name} answered ${answer.status} to ${path}: ${answer.body.toString().slice(0, 500)}`)
}

/** Milliseconds of the requests of a round. */
async function round(program: Program, form: Form): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + Number(values.seconds) * 1_000
  const one = async () => {
    do {
      const since = performance.now()
      await send(program, form)
      times.push(performance.now() - since)
    } while (performance.now() < end)
  }
  await Promise.all(Array.from({ length: Number(values.clients) }, one))
  return times
}

/** The median of 10 runs in ms. NaN without qpdf. */
function floorMs(args: readonly string[] | undefined): number {
  if (args === undefined || spawnSync('qpdf', ['--version']).error) return Number.NaN
  const times = Array.from({ length: 10 }, () => {
    const since = performance.now()
    const { status, stderr } = spawnSync('qpdf', args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`qpdf: ${stderr}`)
    return performance.now() - since
  })
  return median(times)
}

const [port] = await freePorts(1)
await using _platen = await openPlaten({ GOTENBERG_PORT: String(port), DOCS: 'off', STUDIO: 'off', LOG_LEVEL: 'warn' })
const basic = { authorization: `Basic ${Buffer.from(`:${testApiKey}`).toString('base64')}` }
using own = openHttpClient(`http://127.0.0.1:${port}`, basic)
const { GOTENBERG_URL } = process.env
using peer = GOTENBERG_URL ? openHttpClient(GOTENBERG_URL) : undefined
const platenPort: Program = { name: 'Platen', client: own }
const gotenberg: Program | undefined = peer && { name: 'Gotenberg', client: peer }

const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'))
await using _removed = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
const paper = { paperWidth: '210mm', paperHeight: '297mm', printBackground: 'true' }
const html = await formOf('/forms/chromium/convert/html', paper, { 'index.html': (await invoice()).html })
const one = await send(platenPort, html)
const parts = Object.fromEntries(Array.from({ length: pages }, (_, index) => [`${index + 1}.pdf`, one]))
const merge = await formOf('/forms/pdfengines/merge', {}, parts)
const whole = await send(platenPort, merge)
const onePath = join(folder, 'one.pdf')
const wholePath = join(folder, 'whole.pdf')
await writeFile(onePath, one)
await writeFile(wholePath, whole)
const out = join(folder, 'out.pdf')

const works: readonly Work[] = [
  { name: 'an invoice of HTML', form: html },
  {
    name: `merge of ${pages} PDFs`,
    form: merge,
    floor: ['--empty', '--pages', ...Array.from({ length: pages }, () => onePath), '--', out],
  },
  {
    name: `split of ${pages} pages`,
    form: await formOf('/forms/pdfengines/split', { splitMode: 'intervals', splitSpan: '1' }, { 'whole.pdf': whole }),
    floor: ['--split-pages=1', wholePath, join(folder, 'page-%d.pdf')],
  },
  {
    name: 'a password (AES-256)',
    form: await formOf('/forms/pdfengines/encrypt', { userPassword: 'u', ownerPassword: 'o' }, { 'whole.pdf': whole }),
    floor: ['--encrypt', 'u', 'o', '256', '--', wholePath, out],
  },
]

/** Sends a request twenty times first, as the first ones start processes and compile code. False if the program does not have what it needs for it. */
async function isAble(program: Program, { name, form }: Work): Promise<boolean> {
  try {
    for (let count = 0; count < 20; count++) await send(program, form)
    return true
  } catch (err) {
    if (program === platenPort) throw err
    process.stderr.write(`${name}: ${(err as Error).message}\n`)
    return false
  }
}

interface Measured {
  platenMs: number[]
  gotenbergMs: number[]
  /** How many times as long Platen took, in each round. */
  ratios: number[]
}

async function measure(work: Work): Promise<Measured> {
  const { form } = work
  await isAble(platenPort, work)
  const other = gotenberg && (await isAble(gotenberg, work)) ? gotenberg : undefined
  const measured: Measured = { platenMs: [], gotenbergMs: [], ratios: [] }
  for (let at = 0; at < Number(values.rounds); at++) {
    // Each is the first one in every second round.
    const isFirst = at % 2 === 0
    const before = isFirst ? median(await round(platenPort, form)) : undefined
    const gotenbergMs = other && median(await round(other, form))
    const platenMs = before ?? median(await round(platenPort, form))
    measured.platenMs.push(platenMs)
    if (gotenbergMs === undefined) continue
    measured.gotenbergMs.push(gotenbergMs)
    measured.ratios.push(platenMs / gotenbergMs)
  }
  return measured
}

const rows: string[][] = []
let above = 0
const others = watchOthers()
for (const work of works.filter(({ name }) => name.includes(values.only))) {
  const { platenMs, gotenbergMs, ratios } = await measure(work)
  const ratio = median(ratios)
  if (ratio > limit) above += 1
  const range = ratios.length === 0 ? '–' : between(medianInterval(ratios))
  const times = [median(platenMs), median(gotenbergMs), ratio].map(significant)
  rows.push([work.name, ...times, range, significant(floorMs(work.floor))])
}
const header = ['request', 'Platen, ms', 'Gotenberg, ms', 'times as long', '90 % interval', 'qpdf alone, ms']
process.stdout.write(`${textTable(header, rows)}\n`)
process.stdout.write(`limit: ${limit} times as long as Gotenberg; ${above} above it\n`)
process.stdout.write(
  `other programs used ${(others() * 100).toFixed(0)} % of the processor (a Gotenberg is one of them)\n`,
)
if (!peer) process.stdout.write('GOTENBERG_URL is not set: Platen alone was measured\n')
if (above > 0 || rows.length === 0) process.exitCode = 1
