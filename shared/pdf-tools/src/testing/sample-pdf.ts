import { PDFDocument, PDFHexString, PDFName, type PDFPage, PDFString, StandardFonts } from '@cantoo/pdf-lib'

export interface Sample {
  title?: string
  pages?: number
  /** On each page; tells samples apart. */
  text?: string
}

/**
 * A tagged PDF with what a merge must keep: an outline of two entries and one below, a named destination `chapter` on the
 * last page with a link to it on the first, a link to the web, a text field `name`, and metadata.
 */
export async function samplePdf({ title = 'Sample', pages = 3, text = 'Text' }: Sample = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false })
  document.setTitle(title)
  document.setAuthor('Author')
  document.setProducer('Test')
  document.setCreationDate(new Date('2026-01-31T12:00:00Z'))
  const font = document.embedStandardFont(StandardFonts.Helvetica)
  const made = Array.from({ length: pages }, (_, index) => {
    const page = document.addPage([300 + index, 400])
    page.drawText(`${text} ${index + 1}`, { font, size: 12, x: 20, y: 350 })
    return page
  })
  const [first] = made
  const last = made.at(-1)
  if (!first || !last) throw new Error('a sample has pages')
  document.getForm().createTextField('name').addToPage(first, { x: 20, y: 300, width: 100, height: 20, font })
  addTags(document, made, addLinks(document, first, last))
  addOutline(document, first, last)
  return document.save({ useObjectStreams: true })
}

const name = PDFName.of

function addLinks({ context, catalog }: PDFDocument, first: PDFPage, last: PDFPage) {
  const link = (entries: Record<string, unknown>) =>
    context.register(context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [20, 200, 80, 220], ...entries } as never))
  const inner = link({ Dest: PDFString.of('chapter'), StructParent: 1000 })
  first.node.addAnnot(inner)
  first.node.addAnnot(link({ A: { S: 'URI', URI: PDFString.of('https://example.com/') } }))
  const destinations = context.obj({ Names: [PDFString.of('chapter'), [last.ref, name('XYZ'), 0, 400, 0]] } as never)
  catalog.set(name('Names'), context.obj({ Dests: context.register(destinations) }))
  return inner
}

function addTags({ context, catalog }: PDFDocument, pages: readonly PDFPage[], link: unknown): void {
  const root = context.nextRef()
  const top = context.nextRef()
  const paragraphs = pages.map((page, index) => {
    page.node.set(name('StructParents'), context.obj(index))
    const id = PDFHexString.fromText(`p${index}`)
    return context.register(context.obj({ Type: 'StructElem', S: 'Paragraph', P: top, Pg: page.ref, K: 0, ID: id }))
  })
  const reference = { Type: 'OBJR', Obj: link, Pg: pages[0]?.ref }
  const linked = context.register(context.obj({ Type: 'StructElem', S: 'Link', P: top, K: reference } as never))
  context.assign(top, context.obj({ Type: 'StructElem', S: 'Document', P: root, K: [...paragraphs, linked] }))
  const parents = paragraphs.flatMap((paragraph, index) => [index, [paragraph]])
  const ids = paragraphs.flatMap((paragraph, index) => [PDFHexString.fromText(`p${index}`), paragraph])
  const tree = {
    Type: 'StructTreeRoot',
    K: top,
    ParentTree: { Nums: [...parents, 1000, linked] },
    ParentTreeNextKey: 1001,
    IDTree: { Names: ids },
    RoleMap: { Paragraph: 'P' },
  }
  context.assign(root, context.obj(tree as never))
  catalog.set(name('StructTreeRoot'), root)
  catalog.set(name('MarkInfo'), context.obj({ Marked: true }))
  catalog.set(name('Lang'), PDFString.of('en'))
}

function addOutline({ context, catalog }: PDFDocument, first: PDFPage, last: PDFPage): void {
  const [root, one, below, two] = [context.nextRef(), context.nextRef(), context.nextRef(), context.nextRef()]
  const to = (page: PDFPage) => [page.ref, name('Fit')]
  const entries = [
    [
      one,
      { Title: PDFString.of('One'), Parent: root, Next: two, First: below, Last: below, Count: 1, Dest: to(first) },
    ],
    [below, { Title: PDFString.of('Below'), Parent: one, Dest: PDFString.of('chapter') }],
    [two, { Title: PDFString.of('Two'), Parent: root, Prev: one, A: { S: 'GoTo', D: to(last) } }],
    [root, { Type: 'Outlines', First: one, Last: two, Count: 3 }],
  ] as const
  for (const [ref, dict] of entries) context.assign(ref, context.obj(dict as never))
  catalog.set(name('Outlines'), root)
}
