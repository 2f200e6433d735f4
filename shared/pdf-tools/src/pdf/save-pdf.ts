import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHeader,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFStreamWriter,
  PDFWriter,
} from '@cantoo/pdf-lib'

/**
 * Writes the objects that are in use, with object streams (ISO 32000-2, 7.5.7), unless the document is a PDF/A-1, which has
 * those of PDF 1.4 only.
 */
export function savePdf(context: PDFContext): Promise<Uint8Array> {
  const used = usedObjects(context)
  for (const [ref] of context.enumerateIndirectObjects()) if (!used.has(ref)) context.delete(ref)
  if (isPdfA1(context)) return PDFWriter.forContext(context, Number.POSITIVE_INFINITY).serializeToBuffer()
  raiseVersion(context, [1, 7])
  return PDFStreamWriter.forContext(context, Number.POSITIVE_INFINITY).serializeToBuffer()
}

function isPdfA1(context: PDFContext): boolean {
  const catalog = context.lookup(context.trailerInfo.Root)
  const metadata = catalog instanceof PDFDict ? catalog.lookup(PDFName.of('Metadata')) : undefined
  if (!(metadata instanceof PDFRawStream) || metadata.dict.has(PDFName.of('Filter'))) return false
  return /pdfaid:part(>|\s*=\s*["'])\s*1/.test(Buffer.from(metadata.contents).toString('latin1'))
}

/** The version of the file, if it is lower. */
export function raiseVersion(context: PDFContext, [major, minor]: [number, number]): void {
  const [hasMajor = 0, hasMinor = 0] = context.header.getVersionString().split('.').map(Number)
  const isHigher = hasMajor > major || (hasMajor === major && hasMinor >= minor)
  if (!isHigher) context.header = PDFHeader.forVersion(major, minor)
}

/** What the trailer leads to. */
function usedObjects(context: PDFContext): Set<PDFRef> {
  const { Root, Info, Encrypt } = context.trailerInfo
  const used = new Set<PDFRef>()
  const open: (PDFObject | undefined)[] = [Root, Info, Encrypt]
  while (open.length > 0) {
    const object = open.pop()
    if (object instanceof PDFRef) {
      if (used.has(object)) continue
      used.add(object)
      open.push(context.lookup(object))
    } else if (object instanceof PDFDict) {
      for (const value of object.values()) open.push(value)
    } else if (object instanceof PDFArray) {
      for (const item of object.asArray()) open.push(item)
    } else if (object instanceof PDFStream) open.push(object.dict)
  }
  return used
}
