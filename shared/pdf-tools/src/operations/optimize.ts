import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib'
import { name, nameIn } from '../pdf/entries.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'

/** Fonts in three layers, and forms in forms. */
const maxPasses = 8
/** Two equal ones of these are one. */
const resources = new Set([
  'Font',
  'FontDescriptor',
  'ExtGState',
  'Encoding',
  'CIDFont',
  'XObject',
  'Pattern',
  'Halftone',
])

/** Stores equal fonts, pictures and content once, and compresses what is not compressed. What is not used is not saved. */
export function optimize({ context }: OpenPdf): void {
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (object instanceof PDFRawStream) compress(object)
  }
  for (let pass = 0; pass < maxPasses; pass++) {
    const replaced = equalObjects(context)
    if (replaced.size === 0) return
    for (const [, object] of context.enumerateIndirectObjects()) replaceIn(object, replaced)
    const { Root, Info } = context.trailerInfo
    for (const ref of replaced.keys()) if (ref !== Root && ref !== Info) context.delete(ref)
  }
}

function compress(stream: PDFRawStream): void {
  // Readers search for metadata without reading the PDF.
  if (stream.dict.has(name('Filter')) || nameIn(stream.dict, 'Type') === 'Metadata') return
  const compressed = deflateSync(stream.getContents())
  if (compressed.byteLength >= stream.getContentsSize()) return
  stream.updateContents(compressed)
  stream.dict.set(name('Filter'), name('FlateDecode'))
  stream.dict.delete(name('DecodeParms'))
}

function equalObjects(context: PDFContext): Map<PDFRef, PDFRef> {
  const first = new Map<string, PDFRef>()
  const replaced = new Map<PDFRef, PDFRef>()
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (!isResource(object)) continue
    const hash = createHash('sha1')
    if (object instanceof PDFStream) hash.update(entriesOf(object.dict)).update(object.getContents())
    else hash.update(object instanceof PDFDict ? entriesOf(object) : object.toString())
    const key = hash.digest('base64')
    const known = first.get(key)
    if (known) replaced.set(ref, known)
    else first.set(key, ref)
  }
  return replaced
}

/** The length of a stream may be an object of its own. */
const entriesOf = (dict: PDFDict) =>
  dict
    .entries()
    .filter(([key]) => key !== PDFName.of('Length'))
    .map(([key, value]) => `${key}${value}`)
    .join()

function isResource(object: PDFObject): boolean {
  if (object instanceof PDFArray) return object.asArray().every((item) => !(item instanceof PDFRef))
  if (object instanceof PDFStream)
    return !['ObjStm', 'XRef', 'EmbeddedFile'].includes(nameIn(object.dict, 'Type') ?? '')
  return object instanceof PDFDict && resources.has(nameIn(object, 'Type') ?? '')
}

function replaceIn(object: PDFObject, replaced: ReadonlyMap<PDFRef, PDFRef>): void {
  const dict = object instanceof PDFStream ? object.dict : object
  const put = (value: PDFObject, set: (to: PDFRef) => void) => {
    const to = value instanceof PDFRef ? replaced.get(value) : undefined
    if (to) set(to)
    else if (value instanceof PDFDict || value instanceof PDFArray) replaceIn(value, replaced)
  }
  if (dict instanceof PDFDict) for (const [key, value] of dict.entries()) put(value, (to) => dict.set(key, to))
  else if (dict instanceof PDFArray) {
    for (const [at, item] of dict.asArray().entries()) put(item, (to) => dict.set(at, to))
  }
}
