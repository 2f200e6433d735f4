import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHeader,
  type PDFObject,
  PDFRef,
  PDFStream,
  PDFStreamWriter,
} from '@cantoo/pdf-lib'

/** Writes the objects that are in use, with object streams (ISO 32000-2, 7.5.7). */
export function savePdf(context: PDFContext): Promise<Uint8Array> {
  const used = usedObjects(context)
  for (const [ref] of context.enumerateIndirectObjects()) if (!used.has(ref)) context.delete(ref)
  raiseVersion(context, [1, 7])
  return PDFStreamWriter.forContext(context, Number.POSITIVE_INFINITY).serializeToBuffer()
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
