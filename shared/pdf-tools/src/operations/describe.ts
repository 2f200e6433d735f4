import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRef } from '@cantoo/pdf-lib'
import type { Bookmark, DescribeOperation } from '@platen/domain/document/pdf-operation.ts'
import { type OutlineEntry, readOutline } from '../compose/outline.ts'
import { dictIn, isString, name, nameIn, resolved, textIn, textOf } from '../pdf/entries.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import { openPdf } from '../pdf/open-pdf.ts'
import { readNameTree } from '../pdf/trees.ts'
import type { PdfFile, PdfSource } from '../task/task.ts'

/** JSON with the document information or the outline of a PDF, under its name. */
export async function describe(
  source: PdfSource,
  { what }: Pick<DescribeOperation, 'what'>,
  maxPages: number,
): Promise<{ files: PdfFile[] }> {
  const pdf = await openPdf(source, maxPages)
  const found = what === 'information' ? informationOf(pdf) : bookmarksOf(pdf)
  const text = JSON.stringify({ [`${source.name ?? 'document'}.pdf`]: found })
  return { files: [{ bytes: Buffer.from(text), mediaType: 'application/json' }] }
}

/** The names that programs which read metadata have for the dates. */
const shown: Record<string, string> = { CreationDate: 'CreateDate', ModDate: 'ModDate' }

/** The document information (ISO 32000-2, 14.3.3), with the version and the number of pages. */
function informationOf({ context, pages }: OpenPdf): Record<string, unknown> {
  const info = resolved(context, context.trailerInfo.Info)
  const entries = info instanceof PDFDict ? info.entries() : []
  const values = entries.flatMap(([key, value]) => {
    const field = key.decodeText()
    const read = readValue(field, resolved(context, value))
    return read === undefined ? [] : [[shown[field] ?? field, read] as const]
  })
  const version = Number(context.header.getVersionString())
  return { FileType: 'PDF', PDFVersion: version, PageCount: pages.length, ...Object.fromEntries(values) }
}

function readValue(field: string, value: PDFObject | undefined): unknown {
  if (value instanceof PDFName) return value.decodeText()
  if (!isString(value)) return undefined
  const text = textOf(value)
  if (text === undefined) return undefined
  if (field in shown) return dateOf(text)
  if (field === 'Keywords' && text.includes(', ')) return text.split(', ')
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?\d+(\.\d+)?$/.test(text) && text.length < 16 ? Number(text) : text
}

/** `2006:09:18 16:27:50-04:00` for `D:20060918162750-04'00'`. */
function dateOf(text: string): string {
  const date = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(Z|[+-]\d\d)?'?(\d\d)?/.exec(text)
  if (!date) return text
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zone = '', minutes = '00'] = date
  const offset = zone === '' || zone === 'Z' ? zone : `${zone}:${minutes}`
  return `${year}:${month}:${day} ${hour}:${minute}:${second}${offset}`
}

function bookmarksOf({ context, catalog, pages }: OpenPdf): Bookmark[] {
  const numbers = new Map(pages.map(({ ref }, index) => [ref, index + 1]))
  const named = readNameTree(context, dictIn(catalog, 'Names')?.get(name('Dests')))
  const shownOf = ({ dict, children }: OutlineEntry): Bookmark => {
    const below = children.map(shownOf)
    const page = pageOf(context, destinationOf(context, catalog, dict, named), numbers) ?? 0
    return { title: textIn(dict, 'Title') ?? '', page, ...(below.length > 0 && { children: below }) }
  }
  return readOutline(context, catalog).map(shownOf)
}

/** The destination of an entry, or of its action, also by its name (ISO 32000-2, 12.3.2). */
function destinationOf(context: PDFContext, catalog: PDFDict, dict: PDFDict, named: ReadonlyMap<string, PDFObject>) {
  const action = dictIn(dict, 'A')
  const isGoTo = action !== undefined && nameIn(action, 'S') === 'GoTo'
  const found = resolved(context, dict.get(name('Dest')) ?? (isGoTo ? action.get(name('D')) : undefined))
  const byName = isString(found)
    ? named.get(Buffer.from(found.asBytes()).toString('latin1'))
    : found instanceof PDFName
      ? dictIn(catalog, 'Dests')?.get(found)
      : found
  const target = resolved(context, byName)
  return target instanceof PDFDict ? resolved(context, target.get(name('D'))) : target
}

function pageOf(context: PDFContext, target: PDFObject | undefined, numbers: ReadonlyMap<PDFRef, number>) {
  const first = target instanceof PDFArray ? target.asArray()[0] : undefined
  if (first instanceof PDFRef) return numbers.get(first)
  const index = Number(resolved(context, first)?.toString() ?? Number.NaN)
  return Number.isInteger(index) ? index + 1 : undefined
}
