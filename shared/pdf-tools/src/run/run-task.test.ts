import { PDFDict, PDFName } from '@cantoo/pdf-lib'
import type { OutputSteps } from '@platen/domain/document/output-options.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { decode } from 'fast-png'
import t from 'tap'
import { claims, xmpOf } from '../conformance/conform.ts'
import { dictIn, name, nameIn, textIn } from '../pdf/entries.ts'
import { savePdf } from '../pdf/save-pdf.ts'
import { prepareSignature } from '../sign/prepare-signature.ts'
import type { PdfToolFailed } from '../task/pdf-tool-failed.ts'
import type { PdfBounds, PdfTask } from '../task/task.ts'
import { judged, missing } from '../testing/judges.ts'
import { annotationsOf, opened } from '../testing/outline-of.ts'
import { samplePdf } from '../testing/sample-pdf.ts'
import { runTask } from './run-task.ts'

const bounds: PdfBounds = { timeoutMs: 30_000, memoryMb: 512, maxPages: 1_000, maxBytes: 50 * 2 ** 20 }
const plain = { files: {}, operation: { operation: 'steps' } } as const

async function withSteps(steps: OutputSteps, task: Partial<PdfTask> = {}) {
  return runTask({ sources: [{ bytes: await samplePdf() }], ...plain, steps, ...task }, bounds)
}

const only = ({ files }: Awaited<ReturnType<typeof runTask>>) => files[0]?.bytes ?? new Uint8Array()

const reasonOf = (running: Promise<unknown>) =>
  running.then(
    () => 'none',
    ({ reason, step, message }: PdfToolFailed) => `${step} ${reason}: ${message}`,
  )

t.test('steps are done in their order, and each says what it made', async (t) => {
  const result = await withSteps({ metadata: { title: 'T' }, stamps: [{ text: 'DRAFT' }] })
  t.strictSame(
    result.steps.map(({ step }) => step),
    ['stamps', 'metadata'],
  )
  t.equal(result.steps[1]?.bytes, only(result).byteLength)
})

t.test('stamps are on the pages that they name', { skip: missing('pdftotext') }, async (t) => {
  const bytes = only(
    await withSteps({
      stamps: [
        { text: 'Page {{page}} of {{pages}}', pages: '2-' },
        { text: 'A\nB', layer: 'under' },
      ],
    }),
  )
  const { output } = judged('pdftotext', ['FILE', '-'], bytes)
  t.notMatch(output, /Page 1 of 3/)
  t.match(output, /Page 2 of 3[\s\S]*Page 3 of 3/)
  t.equal(output.match(/^A$/gm)?.length, 3)
  t.match(
    await reasonOf(withSteps({ stamps: [{ text: '合計' }] })),
    /stamps invalid: .*Helvetica does not have: U\+5408, U\+8A08\. /,
  )
  t.match(
    await reasonOf(withSteps({ stamps: [{ asset: 'logo.png' }] })),
    /stamps invalid: There is no asset "logo.png"/,
  )
})

t.test('a PDF goes under the pages, and others after them', async (t) => {
  const letterhead = await samplePdf({ title: 'Letterhead', pages: 1 })
  const files = { letterhead }
  const result = await withSteps({ background: { asset: 'letterhead' }, append: [{ asset: 'letterhead' }] }, { files })
  t.equal(result.files[0]?.pages, 4)
  t.strictSame(annotationsOf(await opened(only(result)), 2), [], 'the background is a picture')
})

t.test('metadata is read back, also the own', { skip: missing('pdfinfo') }, async (t) => {
  const metadata = {
    title: 'Zürich',
    keywords: ['a', 'b'],
    custom: { Order: '4711' },
    created_at: '2026-01-31T12:00:00Z',
  }
  const bytes = only(await withSteps({ metadata }))
  t.match(judged('pdfinfo', ['FILE'], bytes).output, /Title: +Zürich\n[\s\S]*Keywords: +a, b\nAuthor: +Author/)
  t.match(judged('pdfinfo', ['-custom', 'FILE'], bytes).output, /Order: +4711/)
  t.match(judged('pdfinfo', ['-meta', 'FILE'], bytes).output, /<xmp:CreateDate>2026-01-31T12:00:00Z</)
})

t.test('attachments are read back byte for byte', { skip: missing('pdfdetach') }, async (t) => {
  const content = '<größe/>'
  const attachment = { name: 'größe.xml', media_type: 'text/xml', relationship: 'data' } as const
  const attachments = [{ ...attachment, content_base64: Buffer.from(content).toString('base64') }]
  const bytes = only(await withSteps({ attachments }))
  t.match(judged('pdfdetach', ['-list', 'FILE'], bytes).output, /1: größe\.xml/)
  if (!missing('qpdf')) t.equal(judged('qpdf', ['--show-attachment=größe.xml', 'FILE'], bytes).output, content)
})

t.test('a protected PDF opens with its passwords only', { skip: missing('qpdf') }, async (t) => {
  const protect = { user_password: 'user', owner_password: 'öwner', permissions: { extract: false } }
  const bytes = only(await withSteps({ protect }))
  t.match(
    judged('qpdf', ['--check', '--password=user', 'FILE'], bytes).output,
    /AESv3[\s\S]*No syntax or stream encoding errors/,
  )
  t.match(
    judged('qpdf', ['--show-encryption', '--password=user', 'FILE'], bytes).output,
    /extract for any purpose: not allowed/,
  )
  t.equal(judged('qpdf', ['--check', '--password=wrong', 'FILE'], bytes).status, 2)
  const unlock = (password?: string) => {
    const source = { bytes, ...defined({ password }) }
    return runTask({ sources: [source], files: {}, operation: { operation: 'unlock' } }, bounds)
  }
  t.match(await reasonOf(unlock()), /unlock encrypted: .*give its password/)
  t.match(await reasonOf(unlock('wrong')), /unlock wrong-password/)
  const pdf = await opened(only(await unlock('öwner')))
  t.equal(pdf.document.getTitle(), 'Sample')
  t.equal(textIn(pdf.catalog, 'Lang'), 'en')
})

t.test(
  'a PDF that everybody may open needs no password, and a warning says that its permissions are lost',
  async (t) => {
    const bytes = only(await withSteps({ protect: { permissions: { extract: false } } }))
    const run = (operation: PdfTask['operation'], steps: OutputSteps = {}, password?: string) =>
      runTask({ sources: [{ bytes, ...defined({ password }) }], files: {}, operation, steps }, bounds)
    const steps = { operation: 'steps' } as const
    const lost = /was encrypted/
    t.match((await run({ operation: 'rotate', degrees: 90 })).warnings, [{ step: 'rotate', message: lost }])
    for (const password of [undefined, '']) {
      const stamped = await run(steps, { metadata: { title: 'T' }, stamps: [{ text: 'X' }] }, password)
      t.match(stamped.warnings, [{ step: 'stamps', message: lost }])
      t.equal(stamped.warnings.length, 1)
    }
    t.match((await run({ operation: 'merge' })).warnings, [{ step: 'merge', message: lost }])
    t.match((await run({ operation: 'split' })).warnings, [{ step: 'split', message: lost }])
    const unlocked = await run({ operation: 'unlock' })
    t.strictSame(unlocked.warnings, [])
    t.equal((await opened(only(unlocked))).wasEncrypted, false)
    t.match(
      await reasonOf(
        runTask(
          { sources: [{ bytes }], files: {}, operation: steps, steps: { sign: { key: 'k' } }, signer: 'S' },
          bounds,
        ),
      ),
      /sign encrypted: .*unlock it first/,
    )
  },
)

t.test('a step that may break PDF/A or PDF/UA removes the claim, with a warning', async (t) => {
  const { document, catalog, context } = await opened(await samplePdf())
  const xmp =
    '<rdf:Description pdfaid:part="3" pdfaid:conformance="B"/><pdfuaid:part>1</pdfuaid:part><dc:title>T</dc:title>'
  catalog.set(PDFName.of('Metadata'), context.register(context.stream(xmp, { Type: 'Metadata', Subtype: 'XML' })))
  const sources = [{ bytes: await savePdf(context) }]
  t.match(claims(document), { pdf_a: '3b', pdf_ua: '1' })
  const outcome = async (operation: PdfTask['operation'], steps: OutputSteps = {}) => {
    const result = await runTask({ sources, files: {}, operation, steps }, bounds)
    const pdf = await opened(only(result))
    return { ...claims(pdf.document), xmp: xmpOf(pdf.document), warnings: result.warnings }
  }
  const steps = { operation: 'steps' } as const
  const stamped = await outcome(steps, { stamps: [{ text: 'X' }] })
  t.match(stamped, { warnings: [{ step: 'stamps', message: /claims PDF\/A/ }], xmp: /dc:title/ })
  t.notMatch(stamped.xmp, /pdfaid|pdfuaid/)
  t.match(await outcome({ operation: 'flatten' }), { warnings: [{ step: 'flatten' }], pdf_a: undefined })
  t.match(await outcome({ operation: 'merge' }), { warnings: [{ step: 'merge' }], pdf_a: undefined })
  const encrypted = await outcome(steps, { protect: { permissions: { extract: false } } })
  t.match(encrypted, { warnings: [{ step: 'protect' }], pdf_a: undefined, pdf_ua: '1' })
  t.match(await outcome({ operation: 'rotate', degrees: 90 }), { warnings: [], pdf_a: '3b', pdf_ua: '1' })
})

t.test('pages are drawn as PNG, JPEG and WebP', async (t) => {
  for (const [format, begin] of [
    ['png', /^\x89PNG/],
    ['jpeg', /^\xff\xd8\xff/],
    ['webp', /^RIFF....WEBP/s],
  ] as const) {
    const { files } = await withSteps({ images: { format, width: 150, pages: '1-2' } })
    t.strictSame(
      files.map(({ mediaType, page }) => [mediaType, page]),
      [
        [`image/${format}`, 1],
        [`image/${format}`, 2],
      ],
    )
    t.match(Buffer.from(files[0]?.bytes ?? []).toString('latin1'), begin)
  }
  const { width, height } = decode(only(await withSteps({ images: { format: 'png', dpi: 72, pages: 'first' } })))
  t.strictSame([width, height], [300, 400])
  t.match(await reasonOf(withSteps({ images: { format: 'png', width: 8_000 } })), /images too-large/)
})

t.test('fields are filled, and become content', async (t) => {
  const run = async (fields: Record<string, string>, flatten: boolean) =>
    runTask(
      { sources: [{ bytes: await samplePdf() }], files: {}, operation: { operation: 'fill', fields, flatten } },
      bounds,
    )
  const filled = await opened(only(await run({ name: 'Grace' }, false)))
  t.equal(filled.document.getForm().getTextField('name').getText(), 'Grace')
  t.match(
    await reasonOf(run({ nam: 'x' }, false)),
    /fill invalid: The PDF has no form field "nam". Did you mean "name"\?/,
  )
  const flat = only(await run({ name: 'Grace' }, true))
  const pdf = await opened(flat)
  t.notOk(pdf.catalog.has(PDFName.of('AcroForm')))
  t.strictSame(
    annotationsOf(pdf, 1).map((dict) => nameIn(dict, 'Subtype')),
    ['Link', 'Link'],
  )
  if (!missing('pdftotext')) t.match(judged('pdftotext', ['FILE', '-'], flat).output, /Grace/)
  t.match((await run({ name: '合計' }, false)).warnings, [{ step: 'fill', message: /"name".*Helvetica/ }])
})

t.test('pages are turned, and an optimized PDF is not larger', async (t) => {
  const bytes = await samplePdf()
  const rotate = { operation: 'rotate', degrees: -90, pages: '2' } as const
  const turned = await opened(only(await runTask({ sources: [{ bytes }], files: {}, operation: rotate }, bounds)))
  t.strictSame(
    turned.document.getPages().map((page) => page.getRotation().angle),
    [0, 270, 0],
  )
  const optimize = { operation: 'optimize' } as const
  const optimized = await runTask({ sources: [{ bytes }], files: {}, operation: optimize }, bounds)
  t.ok(only(optimized).byteLength <= bytes.byteLength)
})

t.test('what is made of a signed PDF has no signature, and a warning says so once', async (t) => {
  const sign = { key: 'k', visible: { x: 10, y: 10, width: 60, height: 20 } }
  const signing = { signer: 'S', signedAt: new Date() }
  const bytes = await prepareSignature(await samplePdf(), sign, signing)
  const steps = { stamps: [{ text: 'X' }], metadata: { title: 'T' } }
  const signatures = ({ context }: Awaited<ReturnType<typeof opened>>) =>
    context
      .enumerateIndirectObjects()
      .filter(([, object]) => object instanceof PDFDict && object.has(name('ByteRange')))
  t.equal(signatures(await opened(bytes)).length, 1)
  for (const operation of [
    { operation: 'rotate', degrees: 90 },
    { operation: 'fill', fields: { name: 'Ada' } },
    { operation: 'flatten' },
    { operation: 'optimize' },
    { operation: 'unlock' },
    { operation: 'edit', information: { Title: 'T' } },
    { operation: 'merge' },
    { operation: 'split' },
    { operation: 'steps' },
  ] as const) {
    const { operation: what } = operation
    const result = await runTask({ sources: [{ bytes }], files: {}, operation, steps }, bounds)
    t.match(result.warnings, [{ step: what === 'steps' ? 'stamps' : what, message: /^Signatures are left out/ }], what)
    t.equal(result.warnings.length, 1, what)
    const pdf = await opened(only(result))
    t.strictSame(signatures(pdf), [], what)
    t.notOk(dictIn(pdf.catalog, 'AcroForm')?.has(name('SigFlags')), what)
  }
  const plainly = { operation: 'steps' } as const
  const twice = await runTask(
    { sources: [{ bytes }], files: {}, operation: plainly, steps: { sign }, signer: 'S' },
    bounds,
  )
  t.strictSame(twice.warnings, [], 'another signature breaks none')
  t.equal(signatures(await opened(only(twice))).length, 2)
})

t.test('pages that do not exist are refused by each operation and step', async (t) => {
  const sources = [{ bytes: await samplePdf() }]
  const files = { logo: await samplePdf({ pages: 1 }) }
  const plainly = { operation: 'steps' } as const
  for (const pages of ['9', '1, 9', '4-']) {
    const tasks: Pick<PdfTask, 'operation' | 'steps'>[] = [
      { operation: { operation: 'rotate', degrees: 90, pages } },
      { operation: { operation: 'split', ranges: [pages] } },
      { operation: plainly, steps: { images: { format: 'png', pages } } },
      { operation: plainly, steps: { stamps: [{ text: 'X', pages }] } },
      { operation: plainly, steps: { background: { asset: 'logo', pages } } },
    ]
    for (const [at, task] of tasks.entries()) {
      const reason = await reasonOf(runTask({ sources, files, ...task }, bounds))
      // A letterhead for all pages but the first is for documents of one page, too.
      const isForAnyLength = at >= 3 && pages === '4-'
      if (isForAnyLength) t.equal(reason, 'none')
      else t.match(reason, new RegExp(`invalid: The PDF has 3 pages, and none of ${pages.replace('1, ', '')}$`))
    }
  }
})
