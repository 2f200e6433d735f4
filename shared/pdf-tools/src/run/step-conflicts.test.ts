import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import type { OutputSteps } from '@platen/domain/document/output-options.ts'
import { conflictsOf } from '@platen/domain/document/step-conflicts.ts'
import t from 'tap'
import { runTask } from './run-task.ts'

const document = await PDFDocument.create()
document.setTitle('A')
document.setLanguage('en')
document.addPage([200, 200])
const { context, catalog } = document
const root = context.nextRef()
context.assign(root, context.obj({ Type: 'StructTreeRoot', K: [{ Type: 'StructElem', S: 'Document', P: root }] }))
catalog.set(PDFName.of('StructTreeRoot'), root)
const blank = await document.save()
const guideline = '<ID>urn:factur-x.eu:1p0:minimum</ID>'
const xml = `<CrossIndustryInvoice xmlns="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"><ExchangedDocumentContext><GuidelineSpecifiedDocumentContextParameter>${guideline}</GuidelineSpecifiedDocumentContextParameter></ExchangedDocumentContext></CrossIndustryInvoice>`

const variants: OutputSteps[] = [
  { background: { asset: 'blank' } },
  { append: [{ asset: 'blank' }] },
  { stamps: [{ asset: 'blank' }] },
  { stamps: [{ asset: 'blank', opacity: 0.5 }] },
  { metadata: { title: 'T', custom: { Order: '1' }, created_at: '2026-01-31T12:00:00Z' } },
  { attachments: [{ name: 'a', media_type: 'text/plain', content_base64: 'YQ==' }] },
  { conformance: { pdf_a: '1b' } },
  { conformance: { pdf_a: '2b' } },
  { conformance: { pdf_a: '3b' } },
  { conformance: { pdf_ua: '1' } },
  { e_invoice: { standard: 'factur-x', profile: 'minimum', xml } },
  { images: { format: 'png' } },
  { protect: { user_password: 'x' } },
  { sign: { key: 'k' } },
]
const bounds = { timeoutMs: 30_000, memoryMb: 512, maxPages: 100, maxBytes: 2 ** 20 }
const causeOf = (steps: OutputSteps) =>
  runTask(
    { sources: [{ bytes: blank }], files: { blank }, operation: { operation: 'steps' }, signer: 's', steps },
    bounds,
  ).then(
    () => undefined,
    ({ message }: Error) => message,
  )

t.test('what two steps refuse of each other is known before a document is printed', async (t) => {
  for (const [index, first] of variants.entries()) {
    t.equal(await causeOf(first), undefined, JSON.stringify(first))
    for (const second of variants.slice(index + 1)) {
      const [field] = Object.keys(second)
      if (field !== undefined && field in first) continue
      const steps = { ...first, ...second }
      const cause = await causeOf(steps)
      const isRefused = conflictsOf(steps).length > 0
      if (cause !== undefined) t.ok(isRefused, `${JSON.stringify(steps)}: ${cause}`)
    }
  }
})
