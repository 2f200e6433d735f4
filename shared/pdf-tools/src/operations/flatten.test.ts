import { type PDFDict, PDFNumber, PDFRef } from '@cantoo/pdf-lib'
import t from 'tap'
import { readStructure } from '../compose/structure.ts'
import { arrayIn, dictIn, itemsOf, name, nameIn, numberIn } from '../pdf/entries.ts'
import { savePdf } from '../pdf/save-pdf.ts'
import { judged, missing } from '../testing/judges.ts'
import { opened } from '../testing/outline-of.ts'
import { samplePdf } from '../testing/sample-pdf.ts'
import { flatten } from './flatten.ts'

t.test('the tag of a field names its content', async (t) => {
  const pdf = await opened(await samplePdf({ pages: 1 }))
  const { context, catalog, pages } = pdf
  const [page] = pages
  const root = dictIn(catalog, 'StructTreeRoot')
  const top = root?.get(name('K'))
  const [widget] = itemsOf(page && arrayIn(page.dict, 'Annots'))
  if (!page || !root || !(top instanceof PDFRef) || !(widget instanceof PDFRef))
    throw new Error('the sample has changed')
  const reference = context.obj({ Type: 'OBJR', Obj: widget, Pg: page.ref })
  const element = context.register(context.obj({ Type: 'StructElem', S: 'Form', P: top, K: reference }))
  arrayIn(context.lookup(top) as PDFDict, 'K')?.push(element)
  const numbers = arrayIn(dictIn(root, 'ParentTree') as PDFDict, 'Nums')
  numbers?.push(PDFNumber.of(2_000))
  numbers?.push(element)
  ;(context.lookup(widget) as PDFDict).set(name('StructParent'), PDFNumber.of(2_000))

  t.strictSame(await flatten(pdf), [])
  const flat = await opened(await savePdf(context))
  const tree = readStructure(flat.context, flat.catalog)
  const form = tree?.all.find(({ dict }) => nameIn(dict, 'S') === 'Form')
  const content = form && arrayIn(form.dict, 'K')?.lookup(0)
  t.match(content?.toString(), /\/Type \/MCR[\s\S]*\/MCID 1/)
  const parents = tree?.parents.get(numberIn(flat.pages[0]?.dict as PDFDict, 'StructParents') ?? -1)
  t.equal(itemsOf(flat.context.lookup(parents) as never)[1], form?.ref)
  t.notOk(tree?.parents.has(2_000))
  if (!missing('qpdf')) t.equal(judged('qpdf', ['--check', 'FILE'], await savePdf(flat.context)).status, 0)
})

t.test('a PDF without a form is left as it is, and it says so', async (t) => {
  const pdf = await opened(await samplePdf())
  pdf.catalog.delete(name('AcroForm'))
  t.strictSame(await flatten(pdf), ['The PDF has no form fields'])
})
