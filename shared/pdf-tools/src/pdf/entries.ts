import {
  PDFArray,
  PDFBool,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFStream,
  PDFString,
} from '@cantoo/pdf-lib'

// Entries of dictionaries as untrusted PDFs have them: undefined for an entry of another type.

export const name = (text: string): PDFName => PDFName.of(text)

export function resolved(context: PDFContext, object: PDFObject | undefined): PDFObject | undefined {
  let found = object
  // A reference to a reference is no PDF, and may be a circle.
  for (let depth = 0; found instanceof PDFRef && depth < 8; depth++) found = context.lookup(found)
  return found instanceof PDFRef ? undefined : found
}

const entry = (dict: PDFDict, key: string) => resolved(dict.context, dict.get(name(key)))

export function dictIn(dict: PDFDict, key: string): PDFDict | undefined {
  return asDict(entry(dict, key))
}

/** A dictionary, also that of a stream. */
export function asDict(object: PDFObject | undefined): PDFDict | undefined {
  if (object instanceof PDFStream) return object.dict
  return object instanceof PDFDict ? object : undefined
}

export function arrayIn(dict: PDFDict, key: string): PDFArray | undefined {
  const found = entry(dict, key)
  return found instanceof PDFArray ? found : undefined
}

export function numberIn(dict: PDFDict, key: string): number | undefined {
  const found = entry(dict, key)
  return found instanceof PDFNumber ? found.asNumber() : undefined
}

export function nameIn(dict: PDFDict, key: string): string | undefined {
  const found = entry(dict, key)
  return found instanceof PDFName ? found.decodeText() : undefined
}

export function isTrue(dict: PDFDict, key: string): boolean {
  return entry(dict, key) === PDFBool.True
}

export function refIn(dict: PDFDict, key: string): PDFRef | undefined {
  const found = dict.get(name(key))
  return found instanceof PDFRef ? found : undefined
}

export function textIn(dict: PDFDict, key: string): string | undefined {
  return textOf(entry(dict, key))
}

export const isString = (object: PDFObject | undefined): object is PDFString | PDFHexString =>
  object instanceof PDFString || object instanceof PDFHexString

/** The text of a text string (ISO 32000-2, 7.9.2.2). */
export function textOf(object: PDFObject | undefined): string | undefined {
  if (!isString(object)) return undefined
  try {
    const bytes = object.asBytes()
    const isUtf8 = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    return isUtf8 ? new TextDecoder().decode(bytes.subarray(3)) : object.decodeText()
  } catch {
    return undefined
  }
}

/** A text string: ASCII as it is, other text as UTF-16 with a byte order mark. */
export function textString(text: string): PDFString | PDFHexString {
  if (!/^[ -~]*$/.test(text)) return PDFHexString.fromText(text.toWellFormed())
  return PDFString.of(text.replace(/[\\()]/g, '\\$&'))
}

/** The bytes of a string as text of a byte a character, to compare strings. */
export const bytesOf = (string: PDFString | PDFHexString): string => Buffer.from(string.asBytes()).toString('latin1')

export const byteString = (bytes: string): PDFHexString => PDFHexString.of(Buffer.from(bytes, 'latin1').toString('hex'))

export function itemsOf(array: PDFArray | undefined): PDFObject[] {
  return array?.asArray() ?? []
}

/** The items of an array, or the object itself if it is none. */
export function listOf(context: PDFContext, object: PDFObject | undefined): PDFObject[] {
  const found = resolved(context, object)
  if (found instanceof PDFArray) return found.asArray()
  return object === undefined || found === undefined ? [] : [object]
}
