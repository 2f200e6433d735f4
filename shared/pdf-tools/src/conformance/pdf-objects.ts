import {
  decodePDFRawStream,
  PDFArray,
  PDFBool,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
} from '@cantoo/pdf-lib'

/** A dictionary, or that of a stream. */
export function asDict(value: PDFObject | undefined): PDFDict | undefined {
  if (value instanceof PDFStream) return value.dict
  return value instanceof PDFDict ? value : undefined
}

/** An entry; the object itself if it is a reference. A broken reference is undefined. */
export function at(dict: PDFDict, key: string): PDFObject | undefined {
  return dict.lookup(PDFName.of(key))
}

export function dictAt(dict: PDFDict | undefined, key: string): PDFDict | undefined {
  return dict === undefined ? undefined : asDict(at(dict, key))
}

export function arrayAt(dict: PDFDict | undefined, key: string): PDFArray | undefined {
  const value = dict === undefined ? undefined : at(dict, key)
  return value instanceof PDFArray ? value : undefined
}

export function nameAt(dict: PDFDict | undefined, key: string): string | undefined {
  const value = dict === undefined ? undefined : at(dict, key)
  return value instanceof PDFName ? value.decodeText() : undefined
}

export function textAt(dict: PDFDict | undefined, key: string): string | undefined {
  const value = dict === undefined ? undefined : at(dict, key)
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : undefined
}

export function numberAt(dict: PDFDict | undefined, key: string): number | undefined {
  const value = dict === undefined ? undefined : at(dict, key)
  return value instanceof PDFNumber ? value.asNumber() : undefined
}

export function isTrueAt(dict: PDFDict | undefined, key: string): boolean {
  const value = dict === undefined ? undefined : at(dict, key)
  return value instanceof PDFBool && value.asBoolean()
}

export function set(dict: PDFDict, key: string, value: PDFObject): void {
  dict.set(PDFName.of(key), value)
}

export function remove(dict: PDFDict, key: string): boolean {
  return dict.delete(PDFName.of(key))
}

export function has(dict: PDFDict | undefined, key: string): boolean {
  return dict?.has(PDFName.of(key)) === true
}

/** The names of the filters of a stream. */
export function filters(dict: PDFDict): string[] {
  const filter = at(dict, 'Filter')
  const names = filter instanceof PDFArray ? filter.asArray().map((_, index) => filter.lookup(index)) : [filter]
  return names.flatMap((name) => (name instanceof PDFName ? [name.decodeText()] : []))
}

/** The bytes of a stream without its filters. Throws if one of them is unknown or the data is broken. */
export function decoded(stream: PDFStream): Uint8Array {
  return stream instanceof PDFRawStream ? decodePDFRawStream(stream).decode() : stream.getContents()
}

/** The dictionaries of all entries of a dictionary of resources, with their references. */
export function* resources(
  owner: PDFDict | undefined,
  kind: string,
): Generator<{ name: string; value: PDFObject; ref: PDFRef | undefined }> {
  const entries = dictAt(owner, kind)
  if (entries === undefined) return
  for (const [key, raw] of entries.entries()) {
    const value = entries.lookup(key)
    if (value !== undefined) yield { name: key.decodeText(), value, ref: raw instanceof PDFRef ? raw : undefined }
  }
}

/** The annotations of a page, without what is no dictionary. */
export function annotations(page: PDFDict): { dict: PDFDict; ref: PDFRef | undefined }[] {
  const array = arrayAt(page, 'Annots')
  if (array === undefined) return []
  return array.asArray().flatMap((raw, index) => {
    const dict = asDict(array.lookup(index))
    return dict === undefined ? [] : [{ dict, ref: raw instanceof PDFRef ? raw : undefined }]
  })
}

/** The content of a page in one piece. */
export function pageContent(page: PDFDict): Uint8Array {
  const contents = at(page, 'Contents')
  const streams =
    contents instanceof PDFArray ? contents.asArray().map((_, index) => contents.lookup(index)) : [contents]
  const parts = streams.flatMap((stream) => (stream instanceof PDFStream ? [decoded(stream), Buffer.from('\n')] : []))
  return Buffer.concat(parts)
}

export function setPageContent(document: PDFDocument, page: PDFDict, content: Uint8Array): void {
  set(page, 'Contents', document.context.register(document.context.flateStream(content)))
}
