import { PDFArray, type PDFDict, type PDFDocument, PDFNumber } from '@cantoo/pdf-lib'
import { annotations, at, dictAt, has, nameAt, numberAt, remove, set } from './pdf-objects.ts'
import type { Violations } from './violation.ts'

const forbiddenAnnotations = new Set(['3D', 'Sound', 'Screen', 'Movie', 'RichMedia'])

/** The catalog, the pages and their annotations. */
export function checkDocument(document: PDFDocument, found: Violations): void {
  const { catalog } = document
  if (has(catalog, 'AA')) found.add('6.5.2', 1, 'the document has actions for events')
  const names = dictAt(catalog, 'Names')
  if (has(names, 'JavaScript')) found.add('6.5.1', 1, 'the document has scripts')
  if (has(names, 'AlternatePresentations')) found.add('6.10', 1, 'the document has alternate presentations')
  if (has(catalog, 'Requirements')) found.add('6.11', 1, 'the document has requirements')
  const form = dictAt(catalog, 'AcroForm')
  if (form !== undefined) {
    remove(form, 'NeedAppearances')
    if (has(form, 'XFA')) found.add('6.4.2', 1, 'the form is an XFA form')
  }
  for (const [index, page] of document.getPages().entries()) {
    const place = `page ${index + 1}`
    if (has(page.node, 'AA')) found.add('6.5.2', 2, `${place}: the page has actions for events`)
    if (has(page.node, 'PresSteps')) found.add('6.10', 2, `${place}: the page has presentation steps`)
    const { width, height } = page.getMediaBox()
    if (Math.min(width, height) < 3 || Math.max(width, height) > 14_400) {
      found.add('6.1.13', 11, `${place}: an edge of the page is shorter than 1.06 mm or longer than 5.08 m`)
    }
    for (const { dict } of annotations(page.node)) checkAnnotation(dict, found, place)
  }
}

const flagPrint = 4
const flagsForbidden = 1 | 2 | 32 | 256

function checkAnnotation(dict: PDFDict, found: Violations, place: string): void {
  const subtype = nameAt(dict, 'Subtype') ?? ''
  if (forbiddenAnnotations.has(subtype)) found.add('6.3.1', 1, `${place}: an annotation has the type ${subtype}`)
  const flags = numberAt(dict, 'F') ?? 0
  if (subtype !== 'Popup') {
    if ((flags & flagsForbidden) !== 0) found.add('6.3.2', 2, `${place}: an annotation is hidden or not shown`)
    set(dict, 'F', PDFNumber.of(flags | flagPrint))
  }
  if (subtype === 'Widget' && (has(dict, 'AA') || has(dict, 'A'))) {
    found.add('6.4.1', 1, `${place}: a form field has actions`)
  }
  const appearance = dictAt(dict, 'AP')
  if (appearance === undefined && !['Popup', 'Link'].includes(subtype) && !isEmpty(dict)) {
    found.add('6.3.3', 1, `${place}: an annotation of the type ${subtype} has no appearance`)
  }
  if (appearance !== undefined) {
    remove(appearance, 'R')
    remove(appearance, 'D')
  }
}

function isEmpty(dict: PDFDict): boolean {
  const rectangle = at(dict, 'Rect')
  if (!(rectangle instanceof PDFArray) || rectangle.size() !== 4) return false
  const [x1, y1, x2, y2] = rectangle.asArray().map((_, index) => {
    const number = rectangle.lookup(index)
    return number instanceof PDFNumber ? number.asNumber() : 0
  })
  return x1 === x2 && y1 === y2
}
