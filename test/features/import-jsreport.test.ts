import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import t from 'tap'
import { jsonLines, runCli } from '../../cli/src/testing/run-cli.ts'
import { startPlaten } from '../support/platen.ts'
import { readPdf } from '../support/read-pdf.ts'

t.setTimeout(300_000)

// Exported and printed as HTML by jsreport 4.14.2, with the script beside them.
const fixtures = join(import.meta.dirname, '../../cli/src/author/jsreport/fixtures')
const sample = join(fixtures, 'sample.jsrexport')
const platen = await startPlaten({ OWN_HELPERS: 'on', DOCS: 'off', STUDIO: 'off' })
t.teardown(() => platen[Symbol.asyncDispose]())
const folder = await mkdtemp(join(tmpdir(), 'platen-jsreport-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const env = { PLATEN_URL: platen.url, API_KEY: platen.apiKey, DATA_DIR: '/nonexistent' }
const run = (...args: string[]) => runCli(env, ['import', 'jsreport', ...args])
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
const get = async (path: string): Promise<any> => (await platen.json(path)).body

const made = [
  { type: 'asset', name: 'jsreport/shared/logo.png' },
  { type: 'asset', name: 'jsreport/shared/brand.css' },
  { type: 'asset', name: 'jsreport/shared/late.css' },
  { type: 'partial', name: 'shared-late-css' },
  { type: 'partial', name: 'letterhead' },
  { type: 'partial', name: 'sales-note' },
  { type: 'partial', name: 'shared-row' },
  { type: 'template', name: 'sales-invoice' },
  { type: 'template', name: 'letter' },
]
const left = [
  { left: 'templates/sales/Invoice', reason: 'pdfMeta.producer' },
  { left: 'templates/Rounded', reason: /the script scripts\/load/ },
  { left: 'templates/Rounded', reason: /the helper rounded is asynchronous/ },
  { left: 'templates/sales/Sheet', reason: /recipe html-to-xlsx/ },
  { left: 'templates/Old', reason: /engine jsrender/ },
  { left: 'assets/shared/prices.xlsx', reason: /no asset/ },
  { left: 'scripts/load' },
  { left: 'templates/Rounded', reason: /rounded.*TEMPLATE_/ },
]
const changed = [{ changed: 'templates/sales/Invoice' }, { changed: 'templates/sales/Invoice', reason: /PDF\/A-3b/ }]
const lines = (change: string) => [...made.map((one) => ({ ...one, change })), ...changed, ...left]

t.test('a dry run says what would be made and what is left, and sends nothing', async (t) => {
  const dry = await run(sample, '--dry-run', '--json')
  t.equal(dry.code, 1, dry.stderr)
  t.match(jsonLines(dry), lines('created'))
  t.same((await get('/v1/templates')).data, [])
  t.match((await run(sample, '--dry-run')).stdout, /template sales-invoice {2}would be created {2}version 1/)
})

t.test('what jsreport has exported is printed with the same text', async (t) => {
  const ran = await run(sample, '--json')
  t.equal(ran.code, 1, ran.stderr)
  t.match(jsonLines(ran), lines('created'))
  const { html, sample_data: data } = await get('/v1/templates/sales-invoice')
  t.match(html, /^\{\{!-- jsreport tinvoice [0-9a-f]{16} --\}\}\n<html>/)
  const pdf = await platen.request('/v1/generate', {
    body: { template: 'sales-invoice', data },
    headers: { accept: 'application/pdf' },
  })
  t.equal(pdf.status, 200)
  const [page] = await readPdf(Buffer.from(await pdf.arrayBuffer()))
  const body = (await readFile(join(fixtures, 'sample.html.txt'), 'utf8')).replace(
    /<(style|script)>[\s\S]*?<\/\1>/g,
    '',
  )
  const words = body
    .replace(/<[^>]*>/g, ' ')
    .trim()
    .split(/\s+/)
  const pattern = words.map((word) => word.replaceAll(/\W/g, '\\$&')).join('\\s*')
  t.match(page?.text, new RegExp(pattern))
  t.match(page, { text: /Lindqvist & Marlowe[\s\S]*Page 1 of 1/, widthMm: 148, images: 2 })
})

t.test(
  'a later import changes nothing, or what has changed in jsreport, but nothing that was edited here',
  async (t) => {
    t.match(jsonLines(await run(sample, '--json')), lines('unchanged'))
    const files = unzipSync(await readFile(sample))
    const edited = Object.entries(files).map(([path, bytes]) => [
      path,
      path.startsWith('templates/letterhead') ? strToU8(strFromU8(bytes).replace('Lindqvist', 'Marlowe')) : bytes,
    ])
    const later = join(folder, 'later.jsrexport')
    await writeFile(later, zipSync(Object.fromEntries(edited)))
    const second = jsonLines(await run(later, '--json'))
    t.match(
      second.find(({ name }) => name === 'letterhead'),
      { change: 'updated', version: 2 },
    )
    t.match(
      second.find(({ name }) => name === 'sales-invoice'),
      { change: 'updated', version: 2 },
      'with the newest partial',
    )
    t.match(
      second.find(({ name }) => name === 'letter'),
      { change: 'unchanged', version: 1 },
    )

    const { html } = await get('/v1/templates/letter')
    const patched = await platen.request('/v1/templates/letter', { method: 'PATCH', body: { html: `${html}edited` } })
    t.equal(patched.status, 200)
    t.match(
      jsonLines(await run(sample, '--json')).filter((line) => 'left' in line),
      [...left.slice(0, -1), { left: 'templates/Letter', reason: /edited since/ }, ...left.slice(-1)],
    )
    t.match((await get('/v1/templates/letter')).html, /edited$/)
    const forced = jsonLines(await run(sample, '--force', '--json'))
    t.match(
      forced.find(({ name }) => name === 'letter'),
      { change: 'updated', version: 3 },
    )
  },
)

t.test('a file that is no export is refused with exit code 2', async (t) => {
  await writeFile(join(folder, 'empty.zip'), zipSync({ 'a.txt': strToU8('x') }))
  for (const [args, stderr] of [
    [[join(folder, 'none')], /there is no file/],
    [[join(folder, 'empty.zip')], /no export of jsreport/],
    [[join(fixtures, 'sample.html.txt')], /no ZIP archive/],
    [[sample, '--into', '..'], /--into must be a folder/],
    [[], /expected exactly one export/],
  ] as const) {
    t.match(await run(...args), { code: 2, stderr })
  }
})
