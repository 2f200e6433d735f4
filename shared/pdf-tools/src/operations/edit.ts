import { PDFDict, type PDFObject, PDFString } from '@cantoo/pdf-lib'
import type { Bookmark, EditOperation, InformationValue } from '@platen/domain/document/pdf-operation.ts'
import { type NewEntry, writeOutline } from '../compose/outline.ts'
import { PageContent } from '../pdf/content.ts'
import { arrayIn, itemsOf, name, nameIn, resolved, textString } from '../pdf/entries.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import type { PdfPage } from '../pdf/read-pages.ts'
import { raiseVersion } from '../pdf/save-pdf.ts'
import { writeXmp } from '../pdf/xmp.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import { appearanceOf, drawAppearance } from './flatten.ts'

/** Replaces document information, the outline, and pictures that become smaller. Throws PdfToolFailed for what cannot be written. */
export async function edit(pdf: OpenPdf, operation: EditOperation): Promise<string[]> {
  const { information, bookmarks, flatten_annotations, image_quality } = operation
  if (flatten_annotations) flattenAnnotations(pdf)
  if (information) setInformation(pdf, information)
  if (bookmarks) setBookmarks(pdf, bookmarks)
  if (image_quality === undefined) return []
  // The encoder is loaded when it is needed.
  const { shrinkPictures } = await import('./shrink-pictures.ts')
  await shrinkPictures(pdf, image_quality)
  return []
}

/** Entries whose values are dates (ISO 32000-2, table 349), and the names that other programs have for them. */
const dates: Record<string, string> = { CreateDate: 'CreationDate', CreationDate: 'CreationDate', ModDate: 'ModDate' }
const trapped = ['True', 'False', 'Unknown']

function setInformation({ context, catalog }: OpenPdf, information: Record<string, InformationValue>): void {
  const found = resolved(context, context.trailerInfo.Info)
  const info = found instanceof PDFDict ? found : context.obj({})
  if (info !== found) context.trailerInfo.Info = context.register(info)
  for (const [key, value] of Object.entries(information)) {
    // The version is that of the file.
    if (key === 'PDFVersion') raiseTo(context, value)
    else if (Object.hasOwn(dates, key)) info.set(name(dates[key] ?? key), dateString(key, value))
    else if (key === 'Trapped' && trapped.includes(String(value))) info.set(name(key), name(String(value)))
    else info.set(name(key), textOfValue(key, value))
  }
  writeXmp(catalog, info)
}

function raiseTo(context: OpenPdf['context'], value: InformationValue): void {
  const [, major, minor] = /^([12])\.(\d)$/.exec(String(value)) ?? []
  if (major !== undefined) raiseVersion(context, [Number(major), Number(minor)])
}

function textOfValue(key: string, value: InformationValue): PDFObject {
  const text = Array.isArray(value) ? value.join(', ') : String(value)
  if (/\p{Cc}/u.test(text)) refuse('invalid', `The value of ${key} has control characters`)
  return textString(text)
}

/** ISO 32000-2, 7.9.4, with the time zone of the given date. */
function dateString(key: string, value: InformationValue): PDFString {
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(String(value))
  if (!iso) return refuse('invalid', `The value of ${key} is no date of ISO 8601`)
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = 'Z'] = iso
  const [sign, hours, minutes] = [zone[0], zone.slice(1, 3), zone.slice(-2)]
  const offset = zone === 'Z' ? 'Z' : `${sign}${hours}'${minutes}'`
  return PDFString.of(`D:${year}${month}${day}${hour}${minute}${second}${offset}`)
}

const maxBookmarks = 50_000
const maxDepth = 64

function setBookmarks({ context, catalog, pages }: OpenPdf, bookmarks: readonly Bookmark[]): void {
  let count = 0
  const entries = (list: readonly Bookmark[], depth: number): NewEntry[] =>
    list.map(({ title, page, children = [] }) => {
      count += 1
      if (count > maxBookmarks || depth > maxDepth)
        refuse('invalid', `The outline has more than ${maxBookmarks} entries`)
      const target =
        pages[page - 1] ?? refuse('invalid', `A bookmark leads to page ${page}, and the PDF has ${pages.length}`)
      const dict = context.obj({ Dest: [target.ref, name('Fit')] })
      dict.set(name('Title'), textString(title))
      return { dict, isOpen: true, children: entries(children, depth + 1) }
    })
  const root = writeOutline(context, entries(bookmarks, 0))
  if (root) catalog.set(name('Outlines'), root)
  else catalog.delete(name('Outlines'))
}

/** Makes annotations content of their pages, as they are shown (ISO 32000-2, 12.5). What shows nothing, such as a link, is removed. */
function flattenAnnotations({ pages }: OpenPdf): void {
  for (const page of pages) {
    if (itemsOf(arrayIn(page.dict, 'Annots')).length > 0) drawAll(page)
    page.dict.delete(name('Annots'))
  }
}

function drawAll(page: PdfPage): void {
  const content = new PageContent(page)
  for (const object of itemsOf(arrayIn(page.dict, 'Annots'))) {
    const drawn = drawnBy(content, page, object)
    if (drawn !== undefined) content.add('over', drawn)
  }
  content.write()
}

function drawnBy(content: PageContent, page: PdfPage, object: PDFObject): string | undefined {
  const { context } = page.dict
  const annotation = resolved(context, object)
  // A popup is shown only while its note is open.
  if (!(annotation instanceof PDFDict) || nameIn(annotation, 'Subtype') === 'Popup') return undefined
  const appearance = appearanceOf(context, annotation)
  const drawn = appearance && drawAppearance(content, annotation, appearance)
  return drawn && `/Artifact BMC\n${drawn}\nEMC`
}
