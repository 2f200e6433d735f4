import { PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib'
import t from 'tap'
import { savePdf } from '../pdf/save-pdf.ts'
import { annotationsOf, opened } from '../testing/outline-of.ts'
import { samplePdf } from '../testing/sample-pdf.ts'
import { claims, conform } from './conform.ts'
import { dictAt, nameAt, set, textAt } from './pdf-objects.ts'
import { readStructure } from './structure-tree.ts'

const rules = (document: PDFDocument, step: Parameters<typeof conform>[1]) =>
  conform(document, step).map(({ rule }) => rule)

t.test('what cannot be mended is named by the rules of both standards', async (t) => {
  const document = await PDFDocument.load(await samplePdf())
  t.strictSame(rules(document, { pdf_a: '3b', pdf_ua: '1' }), [
    'ISO 19005-3:2012, 6.2.11.4.1, test 1',
    'ISO 14289-1:2014, 7.18.4, test 1',
    'ISO 14289-1:2014, 7.18.1, test 3',
    'ISO 14289-1:2014, 7.21.4.1, test 1',
  ])
})

t.test('scripts, actions, CMYK colours and pictures in JPEG 2000 are no PDF/A', async (t) => {
  const document = await PDFDocument.create()
  const page = document.addPage([200, 200])
  const { context, catalog } = document
  set(catalog, 'OpenAction', context.obj({ S: 'JavaScript', JS: PDFString.of('app.alert(1)') }))
  const picture = context.register(context.stream('x', { Subtype: 'Image', Filter: 'JPXDecode', Interpolate: true }))
  set(page.node, 'Resources', context.obj({ XObject: { P: picture } }))
  set(page.node, 'Contents', context.register(context.flateStream('0 0 0 1 k 0 0 9 9 re f')))
  t.strictSame(rules(document, { pdf_a: '3b' }), [
    'ISO 19005-3:2012, 6.2.4.3, test 3',
    'ISO 19005-3:2012, 6.5.1, test 1',
    'ISO 19005-3:2012, 6.2.8.3, test 1',
  ])
})

t.test('PDF/A-1 has no transparency, layers and files, and PDF/A-2 no files that are not checked', async (t) => {
  const made = async () => {
    const document = await PDFDocument.create()
    const page = document.addPage([200, 200])
    const { context, catalog } = document
    const group = context.obj({ S: 'Transparency' })
    set(page.node, 'Group', group)
    set(page.node, 'Resources', context.obj({ ExtGState: { G: { ca: 0.5 } } }))
    set(catalog, 'OCProperties', context.obj({}))
    await document.attach(new Uint8Array(1), 'a.bin')
    await document.flush()
    return document
  }
  t.strictSame(rules(await made(), { pdf_a: '1b' }).sort(), [
    'ISO 19005-1:2005, 6.1.11, test 1',
    'ISO 19005-1:2005, 6.1.11, test 2',
    'ISO 19005-1:2005, 6.1.13, test 1',
    'ISO 19005-1:2005, 6.4, test 6',
  ])
  t.strictSame(rules(await made(), { pdf_a: '2b' }), ['ISO 19005-2:2011, 6.8, test 5'])
  t.strictSame(rules(await made(), { pdf_a: '3b' }), [])
})

t.test('a PDF/A-1 is written without what PDF 1.4 does not have', async (t) => {
  const document = await PDFDocument.create()
  document.setTitle('A')
  set(document.addPage().node, 'Group', document.context.obj({ S: 'Transparency' }))
  t.strictSame(rules(document, { pdf_a: '1b' }), [])
  const bytes = Buffer.from(await savePdf(document.context))
  t.match(bytes.toString('latin1'), /^%PDF-1\.4\n/)
  t.notMatch(bytes.toString('latin1'), /ObjStm|XRef|Transparency/)
  t.strictSame(claims(await PDFDocument.load(bytes, { updateMetadata: false })), { pdf_a: '1b' })
})

t.test('a document claims what it was asked for, and keeps it when it is saved', async (t) => {
  const document = await PDFDocument.create()
  document.setTitle('A & B')
  document.addPage()
  t.strictSame(claims(document), {})
  t.strictSame(rules(document, { pdf_a: '3b' }), [])
  const saved = await PDFDocument.load(await document.save(), { updateMetadata: false })
  t.strictSame(claims(saved), { pdf_a: '3b' })
  const [intent] =
    (saved.catalog.lookup(PDFName.of('OutputIntents')) as { asArray(): unknown[] } | undefined)?.asArray() ?? []
  t.ok(intent)
  t.ok(saved.context.trailerInfo.ID)
})

t.test('a document without tags, title and language is no PDF/UA', async (t) => {
  const document = await PDFDocument.create()
  document.addPage()
  document.setTitle('')
  t.strictSame(rules(document, { pdf_ua: '1' }), [
    'ISO 14289-1:2014, 7.1, test 11',
    'ISO 14289-1:2014, 7.1, test 9',
    'ISO 14289-1:2014, 7.2, test 34',
  ])
})

t.test('links get a description and an element', async (t) => {
  const document = await PDFDocument.load(await samplePdf())
  conform(document, { pdf_ua: '1' })
  const pdf = await opened(await document.save({ updateFieldAppearances: false }))
  const links = annotationsOf(pdf, 1).filter((dict) => nameAt(dict, 'Subtype') === 'Link')
  t.strictSame(
    links.map((link) => textAt(link, 'Contents')),
    ['Link', 'https://example.com/'],
  )
  const added = readStructure(pdf.document)?.elements.filter(({ role }) => role === 'Link') ?? []
  t.equal(added.length, 2)
  t.equal(dictAt(pdf.catalog, 'MarkInfo')?.toString().includes('true'), true)
})

t.test('items of lists get bodies', async (t) => {
  const document = await PDFDocument.load(await samplePdf({ pages: 1 }))
  const [top] = readStructure(document)?.elements ?? []
  const { context } = document
  const inner = context.register(context.obj({ Type: 'StructElem', S: 'L', K: [] }))
  const item = context.register(context.obj({ Type: 'StructElem', S: 'LI', K: [inner] }))
  if (top !== undefined)
    set(top.dict, 'K', context.obj([context.register(context.obj({ Type: 'StructElem', S: 'L', K: [item] }))]))
  conform(document, { pdf_ua: '1' })
  const roles = (readStructure(document)?.elements ?? []).map(({ role, parent }) => `${parent?.role ?? ''}/${role}`)
  t.strictSame(roles.slice(0, 5), ['/Document', 'Document/L', 'L/LI', 'LI/LBody', 'LBody/L'])
})
