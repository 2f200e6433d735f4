import { PDFArray, type PDFDict, PDFDocument, PDFName, type PDFObject, PDFRef, PDFString } from '@cantoo/pdf-lib'
import type { OutputSteps } from '@platen/domain/document/output-options.ts'
import { fc } from '@platen/test-support/fast-check.ts'
import t from 'tap'
import { name, nameIn } from '../pdf/entries.ts'
import { savePdf } from '../pdf/save-pdf.ts'
import { PdfTools } from '../pdf-tools.ts'
import type { PdfToolFailed } from '../task/pdf-tool-failed.ts'
import type { PdfBounds, PdfTask } from '../task/task.ts'
import { opened } from '../testing/outline-of.ts'
import { samplePdf } from '../testing/sample-pdf.ts'
import { runTask } from './run-task.ts'

const bounds: PdfBounds = { timeoutMs: 30_000, memoryMb: 512, maxPages: 1_000, maxBytes: 50 * 2 ** 20 }

const operations: PdfTask['operation'][] = [
  { operation: 'merge' },
  { operation: 'split' },
  { operation: 'rotate', degrees: 90 },
  { operation: 'flatten' },
  { operation: 'optimize' },
]
const steps: OutputSteps = {
  stamps: [{ text: 'X' }],
  metadata: { title: 'T' },
  attachments: [{ name: 'a', media_type: 'text/plain', content_base64: 'YQ==' }],
}

/** What each operation, with steps after it, makes of a PDF: how many pages, or why not. */
async function outcomes(bytes: Uint8Array): Promise<(number | string)[]> {
  const made: (number | string)[] = []
  for (const operation of operations) {
    const outcome = await runTask({ sources: [{ bytes }], files: {}, operation, steps }, bounds).then(
      async ({ files }) =>
        (await Promise.all(files.map((file) => opened(file.bytes)))).flatMap(({ pages }) => pages).length,
      ({ name: kind, reason }: PdfToolFailed) => `${kind} ${reason}`,
    )
    made.push(outcome)
  }
  return made
}

const all = (outcome: number | string) => operations.map(() => outcome)

/** The sample, changed. */
async function changed(change: (pdf: Awaited<ReturnType<typeof opened>>) => void): Promise<Uint8Array> {
  const pdf = await opened(await samplePdf())
  change(pdf)
  return savePdf(pdf.context)
}

const kidsOf = (catalog: PDFDict) => catalog.lookup(name('Pages')) as PDFDict

t.test('a page tree with circles has its pages once', async (t) => {
  const bytes = await changed(({ catalog }) => {
    const kids = kidsOf(catalog).lookup(name('Kids'), PDFArray)
    kids.push(catalog.get(name('Pages')) as PDFObject)
  })
  t.strictSame(await outcomes(bytes), all(3))
})

t.test('a page tree without pages, or with one that is missing, is unreadable', async (t) => {
  const empty = await changed(({ catalog, context }) => kidsOf(catalog).set(name('Kids'), context.obj([])))
  t.strictSame(await outcomes(empty), all('PdfToolFailed unreadable'))
  const lost = await changed(({ catalog, context }) =>
    kidsOf(catalog).set(name('Kids'), context.obj([PDFRef.of(9_999)])),
  )
  t.strictSame(await outcomes(lost), all('PdfToolFailed unreadable'))
})

t.test('more pages than are allowed are refused', async (t) => {
  const document = await PDFDocument.create()
  for (let page = 0; page <= bounds.maxPages; page++) document.addPage([100, 100])
  t.strictSame(await outcomes(await document.save()), all('PdfToolFailed too-many-pages'))
})

t.test('scripts, actions at opening and XFA forms are not in a merged PDF, and it says so', async (t) => {
  const bytes = await changed(({ catalog, context }) => {
    const script = context.obj({ S: 'JavaScript', JS: PDFString.of('app.alert(1)') })
    catalog.set(name('OpenAction'), context.obj({ S: 'Launch', F: PDFString.of('/bin/sh') }))
    const names = catalog.lookup(name('Names')) as PDFDict
    names.set(name('JavaScript'), context.obj({ Names: [PDFString.of('a'), script] }))
    ;(catalog.lookup(name('AcroForm')) as PDFDict).set(name('XFA'), context.stream('<xdp/>'))
  })
  const result = await runTask({ sources: [{ bytes }], files: {}, operation: { operation: 'merge' } }, bounds)
  t.match(result.warnings, [{ message: /Scripts and actions/ }, { message: /XFA/ }])
  const { catalog } = await opened(result.files[0]?.bytes ?? new Uint8Array())
  t.notOk(catalog.has(name('OpenAction')))
  t.notMatch(catalog.lookup(name('Names'))?.toString(), /JavaScript/)
  t.notMatch(catalog.lookup(name('AcroForm'))?.toString(), /XFA/)
  t.strictSame(await outcomes(bytes), all(3))
})

t.test('entries of another type than they should have are a failure or left out, and no crash', async (t) => {
  const wrong: ((pdf: Awaited<ReturnType<typeof opened>>) => PDFObject)[] = [
    ({ context }) => context.obj(42),
    ({ context }) => context.obj([[[[]]]]),
    ({ context }) => context.obj({ Type: 'Page', Kids: 1 }),
    () => PDFString.of('text'),
    () => PDFRef.of(9_999),
  ]
  for (const key of [
    'Outlines',
    'StructTreeRoot',
    'AcroForm',
    'Names',
    'Dests',
    'PageLabels',
    'OCProperties',
    'AF',
    'MarkInfo',
  ]) {
    for (const make of wrong) {
      const bytes = await changed((pdf) => pdf.catalog.set(name(key), make(pdf)))
      for (const outcome of await outcomes(bytes)) {
        t.ok(outcome === 3 || /^PdfToolFailed (unreadable|unsupported)$/.test(String(outcome)), `${key}: ${outcome}`)
      }
    }
  }
  for (const key of ['Annots', 'Contents', 'Resources', 'MediaBox', 'Rotate', 'StructParents', 'AA', 'Group']) {
    for (const make of wrong) {
      const bytes = await changed((pdf) => pdf.pages[0]?.dict.set(PDFName.of(key), make(pdf)))
      for (const outcome of await outcomes(bytes)) {
        t.ok(outcome === 3 || /^PdfToolFailed (unreadable|unsupported)$/.test(String(outcome)), `${key}: ${outcome}`)
      }
    }
  }
})

t.test('an outline that goes on and on is copied', async (t) => {
  const bytes = await changed(({ catalog, context }) => {
    const refs = Array.from({ length: 20_000 }, () => context.nextRef())
    for (const [index, ref] of refs.entries()) {
      const next = refs[index + 1]
      context.assign(ref, context.obj({ Title: PDFString.of(`${index}`), ...(next && { Next: next, First: next }) }))
    }
    catalog.set(name('Outlines'), context.obj({ First: refs[0] as PDFRef }))
  })
  t.strictSame(await outcomes(bytes), all(3))
})

t.test('each cut of a PDF is a failure', async (t) => {
  const bytes = await samplePdf()
  for (let length = 0; length < bytes.byteLength - 20; length += 307) {
    const made = await outcomes(bytes.subarray(0, length))
    t.strictSame(new Set(made), new Set(['PdfToolFailed unreadable']), `${length} bytes`)
  }
})

t.test('a PDF with a wrong byte is a failure, or is read', async (t) => {
  const bytes = await samplePdf()
  for (let at = 0; at < bytes.byteLength; at += 149) {
    const broken = Uint8Array.from(bytes)
    broken[at] = (broken[at] ?? 0) ^ 0xff
    for (const outcome of await outcomes(broken)) {
      t.match(
        String(outcome),
        /^(\d+|PdfToolFailed (unreadable|encrypted|unsupported|too-many-pages|invalid))$/,
        `byte ${at}`,
      )
    }
  }
})

/** What writers and attackers of PDFs leave wrong: bytes, numbers, references, names, and parts that are missing or there twice. */
const damage = fc.oneof(
  fc.record({ at: fc.nat(), put: fc.uint8Array({ maxLength: 8 }), skips: fc.nat(40) }),
  fc.record({
    word: fc.constantFrom(
      '/Kids',
      '/Count',
      '/Length',
      '/Type',
      '/Page',
      '/Contents',
      'obj',
      'stream',
      'xref',
      ' 0 R',
      '>>',
    ),
    nth: fc.nat(30),
    put: fc.constantFrom(
      '',
      '/Parent',
      '/Length -1',
      '/Length 99999999999',
      '/Count 1000000000',
      ' 1 0 R',
      '<<',
      '[[[[',
    ),
  }),
)

type Damage = { at: number; put: Uint8Array; skips: number } | { word: string; nth: number; put: string }

function damaged(bytes: Uint8Array, damages: readonly Damage[]): Uint8Array {
  return damages.reduce<Buffer>((pdf, one) => {
    if ('at' in one) {
      const at = one.at % pdf.length
      return Buffer.concat([pdf.subarray(0, at), one.put, pdf.subarray(at + one.skips)])
    }
    let at = pdf.indexOf(one.word)
    for (let nth = 0; nth < one.nth && at >= 0; nth++) at = pdf.indexOf(one.word, at + 1)
    if (at < 0) return pdf
    return Buffer.concat([pdf.subarray(0, at), Buffer.from(one.put), pdf.subarray(at + one.word.length)])
  }, Buffer.from(bytes))
}

t.test('a PDF that is damaged anywhere is processed, drawn and compared, or is a failure with a reason', async () => {
  await using tools = new PdfTools()
  const whole = await samplePdf()
  const images = (bytes: Uint8Array): PdfTask => ({
    sources: [{ bytes }],
    files: {},
    operation: { operation: 'steps' },
    steps: { images: { format: 'png' } },
  })
  const compare = (bytes: Uint8Array): PdfTask => ({
    sources: [{ bytes: whole }, { bytes }],
    files: {},
    operation: { operation: 'compare', images: true, ignored: [] },
  })
  const outcomeOf = (task: PdfTask) =>
    tools.run(task, bounds).then(
      () => 'done',
      ({ name: kind, reason }: PdfToolFailed) => `${kind} ${reason}`,
    )
  const known = /^(done|PdfToolFailed (unreadable|encrypted|unsupported|invalid|too-many-pages|too-large|out-of-\w+))$/
  const property = async (damages: Damage[]) => {
    const bytes = damaged(whole, damages)
    const made = [
      ...(await outcomes(bytes)).map((outcome) => (typeof outcome === 'number' ? 'done' : outcome)),
      await outcomeOf(images(bytes)),
      await outcomeOf(compare(bytes)),
    ]
    const unknown = made.filter((outcome) => !known.test(outcome))
    if (unknown.length > 0) throw new Error(unknown.join(', '))
  }
  // A page that PDFium cannot read was a picture of one pixel.
  const catalog = { at: 207, put: new Uint8Array(), skips: 14 }
  const examples: [Damage[]][] = [[[{ word: 'obj', nth: 3, put: '' }, catalog]]]
  const damages = fc.array(damage, { minLength: 1, maxLength: 5 })
  await fc.assert(fc.asyncProperty(damages, property), { numRuns: 60, examples })
})

t.test('the sample passes all of it', async (t) => {
  t.strictSame(await outcomes(await samplePdf()), all(3))
  t.equal(nameIn((await opened(await samplePdf())).catalog, 'Type'), 'Catalog')
})
