import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Platen } from '@platen/client'
import type { Template } from '@platen/domain/template/template.ts'
import { getDocument, type PDFDocumentProxy, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import t from 'tap'
import { printBoardReport, storeBoardReport } from '../../examples/print-board-report.ts'
import { printCertificates } from '../../examples/print-certificates.ts'
import { fillForm, printSignedLetter } from '../../examples/print-more.ts'
import { type ExampleName, exampleNames, readExample } from '../../examples/read-example.ts'
import { startPlaten } from '../support/platen.ts'
import { generate } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'

interface Wanted {
  pages: number
  mm: [width: number, height: number]
  /** Text that must be on a page. Pages are counted from 1. */
  text: [page: number, text: string][]
}

const wanted: Record<ExampleName, Wanted> = {
  invoice: {
    pages: 2,
    mm: [210, 297],
    text: [
      [1, 'Invoice 2025-0417'],
      [1, 'Page 1 of 2'],
      [1, '4,104.00'],
      [2, 'Page 2 of 2'],
      [2, 'NL91 ABNA 0417 1643 00'],
    ],
  },
  report: {
    pages: 6,
    mm: [210, 297],
    // The chapters begin on the pages that the table of contents gives.
    text: [
      [1, 'State of'],
      [2, 'The year in brief A wet spring, a breached wall and the best autumn count on record 3'],
      [2, 'Four promises, with the dates by which to hold us to them 6'],
      [3, 'The year in brief'],
      [4, 'Birds on the flats'],
      [5, 'Where the money went'],
      [6, 'The next three years'],
    ],
  },
  'e-invoice': {
    pages: 1,
    mm: [210, 297],
    text: [
      [1, 'Rechnung 2026-0417'],
      [1, '2.520,90'],
    ],
  },
  quotation: {
    pages: 1,
    mm: [210, 297],
    text: [
      [1, 'Quotation'],
      [1, '26 Dec 2026'],
      [1, '€14,155.50'],
    ],
  },
  dashboard: {
    pages: 1,
    mm: [297, 210],
    text: [
      [1, 'Fjord & Field'],
      [1, '2,633'],
      [1, '▼ 0.8%'],
    ],
  },
  paper: {
    pages: 2,
    mm: [210, 297],
    text: [
      [1, 'The shape of a hanging chain'],
      [1, '⟹'],
      [2, 'Table 1.'],
    ],
  },
  letter: {
    pages: 1,
    mm: [210, 297],
    text: [
      [1, 'Dear Dr Falkenrath,'],
      [1, '3 November 2025'],
    ],
  },
  certificate: {
    pages: 1,
    mm: [297, 210],
    text: [
      [1, 'Diploma in Watchmaking'],
      [1, 'Eloïse Tremblay-Varga'],
    ],
  },
  'product-sheet': {
    pages: 1,
    mm: [210, 297],
    text: [
      [1, 'Halo pendant'],
      [1, '€1,148'],
      [1, '600 mm'],
    ],
  },
  'membership-form': {
    pages: 1,
    mm: [210, 297],
    text: [
      [1, 'Application for membership'],
      [1, 'Reduced, €24.00 a year'],
    ],
  },
  'shipping-label': {
    pages: 1,
    mm: [148, 210],
    text: [
      [1, 'Atelier Brandt & Søn'],
      [1, '(00) 3 9521234 567890418 3'],
    ],
  },
}

const noProgram = (program: string) => (spawnSync(program, ['-v']).error ? `${program} is not installed` : false)
const folder = t.testdir({ keys: {} })
const script = fileURLToPath(new URL('../../examples/signed-letter/make-test-key.sh', import.meta.url))
const noKey = noProgram('openssl')
if (!noKey) execFileSync('sh', [script, join(folder, 'keys')])
const platen = await startPlaten({ PDF_SIGN_KEYS: join(folder, 'keys') })
t.teardown(() => platen[Symbol.asyncDispose]())

/** The example as a request without a stored template. */
async function readInline(name: ExampleName) {
  const { html, sample_data, options, header_html, footer_html } = (await readExample(name)).template
  const margins = { ...(header_html && { header_html }), ...(footer_html && { footer_html }) }
  return { html, sample_data, options: { ...options, ...margins } }
}

t.test('every folder of examples/ is tested', async (t) => {
  const entries = await readdir(new URL('../../examples/', import.meta.url), { withFileTypes: true })
  const templates = entries.filter(({ name }) =>
    existsSync(new URL(`../../examples/${name}/template.html`, import.meta.url)),
  )
  const folders = templates.map(({ name }) => name)
  t.strictSame(folders.sort(), [...exampleNames].sort())
})

for (const name of exampleNames) {
  t.test(`${name} is printed with the wanted pages, size and text`, async (t) => {
    const { template: example, partials, assets } = await readExample(name)
    for (const [asset, bytes] of Object.entries(assets)) {
      const headers = { authorization: `Bearer ${platen.apiKey}`, 'content-type': 'application/octet-stream' }
      const stored = await fetch(`${platen.url}/v1/assets/${asset}`, { method: 'PUT', headers, body: bytes })
      t.equal(stored.status, 201, asset)
    }
    for (const [partial, html] of Object.entries(partials)) {
      t.equal((await platen.json('/v1/partials', { body: { name: partial, html } })).status, 201, partial)
    }
    const { sample_data, slug: _, ...fields } = example
    const created = await platen.json<Template>('/v1/templates', { body: { ...fields, sample_data } })
    t.equal(created.status, 201)
    t.equal(created.body.slug, example.slug)
    const { pdf, generation } = await generate(platen, { template: example.slug, data: sample_data })
    const read = await readPdf(pdf)
    const { pages, mm, text } = wanted[name]
    t.equal(read.length, pages)
    t.equal(generation.pages, pages)
    t.strictSame(
      generation.warnings?.map(({ code }) => code),
      name === 'e-invoice' ? ['PDF_STEP'] : [],
    )
    for (const { widthMm, heightMm } of read) t.strictSame([widthMm, heightMm], mm)
    const bare = (words: string | undefined) => words?.replace(/\s+/g, '')
    for (const [page, words] of text)
      t.ok(bare(read[page - 1]?.text)?.includes(bare(words) ?? ''), `${words} on page ${page}`)
    t.notMatch(read.map((page) => page.text).join(' '), /\{\{|undefined|NaN|\[object/)
  })
}

t.test('the quotation is printed in the language of its customer', async (t) => {
  const { samples = {} } = (await readExample('quotation')).template
  const wanted: Record<string, string[]> = {
    german: ['Angebot', 'Gültigbis26.12.2026', '13.476,04€', 'Seite1/1'],
    japanese: ['御見積書', '2026/12/26', '¥2,054,910'],
    // Letters are read from left to right, as they stand on the page.
    arabic: ['رعسضرع', '٢٠٢٦/١٢/٢٦', '٦٧٢٬٩٤٢٫٠٠', '١/١'],
  }
  t.same(Object.keys(samples).sort(), Object.keys(wanted).sort())
  for (const [name, data] of Object.entries(samples)) {
    const { pdf, generation } = await generate(platen, { template: 'quotation', data })
    t.strictSame(generation.warnings, [], name)
    const [page, ...more] = await readPdf(pdf)
    t.equal(more.length, 0, name)
    const text = page?.text.normalize('NFKC').replace(/\s+/g, '')
    for (const word of wanted[name] ?? []) t.match(text, word, name)
  }
})

t.test('formulas have the fonts of KaTeX, and charts are drawn', async (t) => {
  const read = async (template: ExampleName) => {
    const data = (await readExample(template)).template.sample_data
    return readPdf((await generate(platen, { template, data })).pdf)
  }
  const [paper] = await read('paper')
  t.match(paper?.fonts.join(), /KaTeX_Math-Italic/)
  const [dashboard] = await read('dashboard')
  t.equal(dashboard?.images, 3)
})

t.test('a run of certificates that is repeated prints none twice', async (t) => {
  const lines = Array.from({ length: 12 }, (_, n) => `${String(n + 1).padStart(3, '0')},Person ${n + 1}`)
  const folder = t.testdir({ 'people.csv': `number,name\n${lines.join('\n')}\n`, first: {}, second: {} })
  const people = join(folder, 'people.csv')
  const client = new Platen({ url: platen.url, key: platen.apiKey })
  const { sample_data: data } = (await readExample('certificate')).template
  for (const round of ['first', 'second']) {
    const out = join(folder, round)
    let last = ''
    const onPrinted = (done: number, all: number) => (last = `${done} of ${all}`)
    await printCertificates(client, { people, data, out, atOnce: 4, onPrinted })
    t.equal(last, '12 of 12')
    t.equal((await readdir(out)).filter((file) => file.endsWith('.pdf')).length, 12)
    const [page] = await readPdf(await readFile(join(out, 'certificate-007.pdf')))
    t.match(page?.text, 'Person 7')
    const listed = await platen.json<{ data: unknown[] }>('/v1/generations?limit=100&metadata.run=class-of-2026')
    t.equal(listed.body.data.length, 12, round)
  }
})

t.test('the invoice has the labels of its locale, and English ones for an unknown locale', async (t) => {
  const { html, sample_data, options } = await readInline('invoice')
  for (const [locale, ...words] of [
    ['de-DE', 'Rechnung', 'Einzelpreis', '4.104,00', 'Gesamt', 'Seite 2 von 2'],
    ['fr-FR', 'Invoice', 'Unit price', 'Page 2 of 2'],
  ] as const) {
    const { pdf } = await generate(platen, { html, data: { ...sample_data, locale }, options })
    const text = (await readPdf(pdf)).map((page) => page.text).join(' ')
    for (const word of words) t.match(text.replace(/\s+/g, '').toLowerCase(), word.replace(/\s+/g, '').toLowerCase())
  }
})

t.test('the second page of a long letter has a number', async (t) => {
  const { html, sample_data, options } = await readInline('letter')
  const paragraphs = Array(30).fill(
    'A paragraph with so many words that it needs two lines of the letter, if not three of them.',
  )
  const { pdf } = await generate(platen, { html, data: { ...sample_data, paragraphs }, options })
  const [first, second] = await readPdf(pdf)
  t.notMatch(first?.text, /Page 1/)
  t.match(second?.text, /Page 2 of 2/)
})

t.test('the report has an outline with the words of its title apart', async (t) => {
  const { html, sample_data, options } = await readInline('report')
  const { pdf } = await generate(platen, { html, data: sample_data, options })
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: VerbosityLevel.ERRORS })
  const [cover] = (await (await task.promise).getOutline()) ?? []
  t.equal(cover?.title, 'State of the Estuary 2025')
  t.match(cover?.items[1]?.title, 'The year in brief')
  await task.destroy()
})

t.test('the form is filled in', async (t) => {
  const client = new Platen({ url: platen.url, key: platen.apiKey })
  const blank = await client.generate({ template: 'membership-form', data: await dataOf('membership-form') })
  const filled = await fillForm(client, blank)
  const values = await withPdf(filled.url, async (pdf) => {
    const annotations = await (await pdf.getPage(1)).getAnnotations()
    return Object.fromEntries(annotations.map(({ fieldName, fieldValue }) => [fieldName, fieldValue]))
  })
  t.match(values, {
    'person.given_name': 'Zoë',
    'person.address': /Karl-Heine-Straße/,
    'person.country': ['DE'],
    fee: 'reduced',
    'interests.wood': 'on',
    'interests.metal': 'Off',
    consent: 'yes',
  })
})

t.test('the report of three templates has one contents page, one outline and one count of pages', async (t) => {
  const client = new Platen({ url: platen.url, key: platen.apiKey })
  const report = await printBoardReport(client, await storeBoardReport(client))
  t.equal(report.pages, 5)
  t.strictSame(report.warnings, [])
  await withPdf(report.url, async (pdf) => {
    const pageOf = async (dest: unknown) => {
      const [ref] = (typeof dest === 'string' ? await pdf.getDestination(dest) : (dest as never[])) ?? []
      return (await pdf.getPageIndex(ref as never)) + 1
    }
    const textOf = async (page: number) =>
      (await (await pdf.getPage(page)).getTextContent()).items.map((item) => ('str' in item ? item.str : '')).join(' ')
    const links = (await (await pdf.getPage(1)).getAnnotations()).filter(({ subtype }) => subtype === 'Link')
    const targets = await Promise.all(links.map(({ dest }) => pageOf(dest)))
    t.strictSame(targets, [2, 4, 5])
    const contents = (await textOf(1)).replace(/\s+/g, ' ')
    for (const [index, title] of ['The year in review', 'Accounts', 'Plan'].entries()) {
      const page = targets[index] ?? 0
      t.match(contents, new RegExp(`${title} [^0-9]* ${page}\\b`), 'the number beside the title')
      t.match(await textOf(page), title)
      t.match(await textOf(page), new RegExp(`\\b${page}$`), 'the number on the page')
    }
    const outline = (await pdf.getOutline()) ?? []
    t.strictSame(
      outline.map(({ title }) => title),
      ['Contents', 'The year in review', 'Accounts', 'Plan'],
    )
    t.strictSame(await Promise.all(outline.map(({ dest }) => pageOf(dest))), [1, 2, 4, 5])
    const [chapter] = outline[1]?.items ?? []
    const sections: { title: string }[] = chapter?.items ?? []
    t.strictSame(
      sections.map(({ title }) => title),
      ['Passengers', 'The fleet'],
    )
  })
})

t.test('the letter is signed with the test key', { skip: noKey || noProgram('pdfsig') }, async (t) => {
  const client = new Platen({ url: platen.url, key: platen.apiKey })
  const letter = await printSignedLetter(client, 'example')
  t.equal(letter.pages, 1)
  const file = join(folder, 'letter.pdf')
  await writeFile(file, await (await client.file(letter)).bytes())
  const { stdout } = spawnSync('pdfsig', ['-nocert', file], { encoding: 'utf8' })
  t.match(stdout, /Signer Certificate Common Name: Kestrel & Pine \(test\)/)
  t.match(stdout, /Signature Validation: Signature is Valid/)
})

const dataOf = async (name: ExampleName) => (await readExample(name)).template.sample_data

async function withPdf<Result>(url: string, look: (pdf: PDFDocumentProxy) => Promise<Result>): Promise<Result> {
  const task = getDocument({ data: await (await fetch(url)).bytes(), verbosity: VerbosityLevel.ERRORS })
  try {
    return await look(await task.promise)
  } finally {
    await task.destroy()
  }
}
