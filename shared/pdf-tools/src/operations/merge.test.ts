import t from 'tap'
import { readStructure } from '../compose/structure.ts'
import { arrayIn, dictIn, itemsOf, nameIn, numberIn, textIn } from '../pdf/entries.ts'
import { judged, missing } from '../testing/judges.ts'
import { annotationsOf, opened, outlineOf, pageNumber } from '../testing/outline-of.ts'
import { samplePdf } from '../testing/sample-pdf.ts'
import { merge } from './merge.ts'

const merged = async (...samples: Uint8Array[]) => {
  const { files, warnings } = await merge(
    samples.map((bytes) => ({ bytes })),
    { outline: true },
    10_000,
  )
  return { bytes: files[0]?.bytes ?? new Uint8Array(), pages: files[0]?.pages, warnings }
}

t.test('pages are in order, and the outline has a level for each document', async (t) => {
  const { bytes, pages, warnings } = await merged(
    await samplePdf({ title: 'A', pages: 2 }),
    await samplePdf({ title: 'B', pages: 3 }),
  )
  t.equal(pages, 5)
  t.strictSame(warnings, [])
  const pdf = await opened(bytes)
  t.strictSame(
    pdf.document.getPages().map((page) => page.getWidth()),
    [300, 301, 300, 301, 302],
  )
  t.strictSame(outlineOf(pdf), [
    [
      'A',
      1,
      [
        ['One', 1, [['Below', 2, []]]],
        ['Two', 2, []],
      ],
    ],
    [
      'B',
      3,
      [
        ['One', 3, [['Below', 5, []]]],
        ['Two', 5, []],
      ],
    ],
  ])
  t.equal(pdf.document.getTitle(), 'A')
  t.equal(pdf.document.getAuthor(), 'Author')
})

t.test('without `outline`, the entries of all documents are in one level', async (t) => {
  const sources = [{ bytes: await samplePdf({ pages: 2 }) }, { bytes: await samplePdf({ pages: 2 }) }]
  const { files } = await merge(sources, {}, 10)
  t.strictSame(
    outlineOf(await opened(files[0]?.bytes ?? new Uint8Array())).map(([title, page]) => [title, page]),
    [
      ['One', 1],
      ['Two', 2],
      ['One', 3],
      ['Two', 4],
    ],
  )
})

t.test('links lead within their document, also by a name that both have', async (t) => {
  const { bytes } = await merged(await samplePdf({ pages: 2 }), await samplePdf({ pages: 3 }))
  const pdf = await opened(bytes)
  const links = [1, 3].map((page) => annotationsOf(pdf, page).filter((dict) => nameIn(dict, 'Subtype') === 'Link'))
  t.strictSame(
    links.map(([inner]) => inner && pageNumber(pdf, inner)),
    [2, 5],
  )
  t.strictSame(
    links.map(([, outer]) => outer && textIn(dictIn(outer, 'A') ?? outer, 'URI')),
    Array(2).fill('https://example.com/'),
  )
})

t.test('a link to a source leads to its first page, or to a name in it', async (t) => {
  const { PDFName, PDFString } = await import('@cantoo/pdf-lib')
  const first = await opened(await samplePdf({ title: 'Contents', pages: 1 }))
  const urls = ['source:3', 'source:2#chapter', 'source:4', 'source:2#none', 'source:x']
  for (const url of urls) {
    const A = { S: 'URI', URI: PDFString.of(url) }
    const link = first.context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 9, 9], A } as never)
    arrayIn(first.pages[0]?.dict as never, 'Annots')?.push(first.context.register(link))
  }
  const contents = await first.document.save()
  const { bytes, warnings } = await merged(contents, await samplePdf({ pages: 3 }), await samplePdf({ pages: 2 }))
  const pdf = await opened(bytes)
  const links = annotationsOf(pdf, 1).slice(-urls.length)
  t.strictSame(
    links.map((dict) => pageNumber(pdf, dict)),
    [5, 4, 0, 0, 0],
  )
  t.strictSame(
    links.map((dict) => textIn(dictIn(dict, 'A') ?? dict, 'URI')),
    [undefined, undefined, 'source:4', 'source:2#none', 'source:x'],
  )
  t.equal(arrayIn(links[0] as never, 'Dest')?.lookup(1), PDFName.of('XYZ'))
  t.match(warnings, [/source:2, source:4$/])
})

t.test('all tags are below one element, and are found by the numbers of their content', async (t) => {
  const { bytes } = await merged(await samplePdf({ pages: 2 }), await samplePdf({ pages: 1 }))
  const pdf = await opened(bytes)
  const tree = readStructure(pdf.context, pdf.catalog)
  t.equal(tree?.top.length, 1)
  t.strictSame(
    tree?.all.map(({ dict }) => nameIn(dict, 'S')),
    ['Document', 'Document', 'Document', 'Paragraph', 'Paragraph', 'Link', 'Paragraph', 'Link'],
  )
  const numbers = pdf.pages.map(({ dict }) => numberIn(dict, 'StructParents') ?? -1)
  t.equal(new Set(numbers).size, 3)
  for (const [index, number] of numbers.entries()) {
    const found = pdf.context.lookup(tree?.parents.get(number))
    const [element] = found && 'asArray' in found ? itemsOf(found as never) : []
    t.equal(tree?.all.find(({ ref }) => ref === element)?.page, pdf.pages[index]?.ref, `page ${index + 1}`)
  }
  const ids = tree?.all.flatMap(({ dict }) => textIn(dict, 'ID') ?? [])
  t.equal(new Set(ids).size, 3)
})

t.test('fields of one name become two fields', async (t) => {
  const { bytes } = await merged(await samplePdf(), await samplePdf())
  const form = (await opened(bytes)).document.getForm()
  t.strictSame(
    form.getFields().map((field) => field.getName()),
    ['name', 'name+1'],
  )
  t.equal(form.getTextField('name+1').acroField.getWidgets().length, 1)
})

t.test('equal fonts and pages are stored once: ten copies are little larger than one', async (t) => {
  const one = await samplePdf({ pages: 30, text: 'The same text on each page, '.repeat(50) })
  const { bytes } = await merged(...Array(10).fill(one))
  t.ok(bytes.byteLength < 4 * one.byteLength, `${bytes.byteLength} bytes of ${one.byteLength}`)
})

t.test('a PDF without tags leaves the others theirs, with a warning', async (t) => {
  const { PDFDocument } = await import('@cantoo/pdf-lib')
  const plain = await PDFDocument.create()
  plain.addPage()
  const { bytes, warnings } = await merged(await samplePdf(), await plain.save())
  t.match(warnings, [/Without tags.*source 2/])
  const { catalog, context } = await opened(bytes)
  t.ok(readStructure(context, catalog))
  t.notOk(dictIn(catalog, 'MarkInfo'))
})

t.test('the same sources make the same bytes', async (t) => {
  const sources = [await samplePdf(), await samplePdf({ title: 'B' })]
  const [one, two] = [await merged(...sources), await merged(...sources)]
  t.strictSame(one.bytes, two.bytes)
})

t.test('qpdf finds no error', { skip: missing('qpdf') }, async (t) => {
  const { bytes } = await merged(await samplePdf(), await samplePdf({ pages: 1 }))
  t.match(judged('qpdf', ['--check', 'FILE'], bytes), { status: 0, output: /No syntax or stream encoding errors/ })
})

t.test('Poppler reads the tags and the named destinations', { skip: missing('pdfinfo') }, async (t) => {
  const { bytes } = await merged(await samplePdf(), await samplePdf())
  t.match(judged('pdfinfo', ['-struct', 'FILE'], bytes).output, /^Document\n {2}Document\n {4}P /)
  t.match(judged('pdfinfo', ['-dests', 'FILE'], bytes).output, /"chapter"[\s\S]*"chapter\.2"/)
})

t.test('a damaged field, outline or structure tree is left out, and circles end', async (t) => {
  const { document } = await opened(await samplePdf())
  const { catalog, context } = document
  const { PDFName, PDFRef } = await import('@cantoo/pdf-lib')
  const outlines = dictIn(catalog, 'Outlines')
  const first = outlines?.get(PDFName.of('First'))
  const entry = first instanceof PDFRef ? context.lookup(first) : undefined
  if (entry && 'set' in entry) (entry as never as Map<unknown, unknown>).set(PDFName.of('Next'), first)
  const tree = dictIn(catalog, 'StructTreeRoot')
  const top = tree?.get(PDFName.of('K'))
  const element = dictIn(tree as never, 'K')
  element?.set(PDFName.of('K'), top as never)
  const { bytes, pages } = await merged(await document.save(), await samplePdf({ pages: 1 }))
  t.equal(pages, 4)
  t.ok(arrayIn((await opened(bytes)).pages[0]?.dict as never, 'Annots'))
})
