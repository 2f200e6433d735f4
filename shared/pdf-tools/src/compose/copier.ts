import { createHash } from 'node:crypto'
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFInvalidObject,
  PDFName,
  PDFNull,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib'
import { nameIn, resolved } from '../pdf/entries.ts'

/** Where the copies go. All sources of a PDF share it. */
export interface CopyTarget {
  context: PDFContext
  /** Equal resources are stored once: the reference by a hash of the content. */
  shared: Map<string, PDFRef>
}

/** Changes a copied dictionary: names that another source has already, and numbers that are counted on. */
export type Adapt = (copied: PDFDict) => void

/** What belongs to the whole file, and is made anew. */
const notCopied = new Set(['Catalog', 'Pages', 'Page', 'StructTreeRoot', 'Outlines', 'ObjStm', 'XRef'])
/** Two equal ones are two things. */
const unique = new Set([...notCopied, 'Annot', 'StructElem', 'OCG', 'OCMD', 'Sig', 'Filespec', 'Bead', 'Thread'])
/** What is below these entries has no identity: fonts, pictures, content. */
const sharedEntries = new Set([PDFName.of('Resources'), PDFName.of('Contents'), PDFName.of('AP')])
/** It is written with the stream. */
const lengthOfStream = PDFName.of('Length')
/** Resources that are nested more deeply are copied, and not compared. It keeps the recursion small. */
const maxSharedDepth = 100

/** Copies objects of one source with what they refer to, each once. Circles and long chains are no problem. */
export class Copier {
  readonly source: PDFContext
  readonly #target: CopyTarget
  readonly #adapt: Adapt
  readonly #copied = new Map<PDFRef, PDFRef | typeof PDFNull>()
  /** What is being shared: a reference to it from below is a circle. */
  readonly #open = new Set<PDFRef>()
  /** Whether an object could not be read, and is left out. */
  isDamaged = false
  readonly #waiting: { to: PDFRef; object: PDFObject }[] = []

  constructor(source: PDFContext, target: CopyTarget, adapt: Adapt) {
    this.source = source
    this.#target = target
    this.#adapt = adapt
  }

  /** References to `from` become references to `to`, or null. */
  map(from: PDFRef, to: PDFRef | typeof PDFNull): void {
    this.#copied.set(from, to)
  }

  /** The reference that replaces one of the source, if it is known by now. */
  mapped(from: PDFRef): PDFRef | undefined {
    const to = this.#copied.get(from)
    return to instanceof PDFRef ? to : undefined
  }

  /** A copy whose references are valid in the target. What it refers to follows with `finish`. */
  copy(object: PDFObject): PDFObject {
    return this.#value(
      object,
      (value) => this.copy(value),
      this.#reference,
      (value) => this.share(value),
    )
  }

  /** As `copy`, for what has no identity: if the target has an equal object, that one is used. */
  share(object: PDFObject, depth = 0): PDFObject {
    const share = (value: PDFObject) => this.share(value, depth)
    return this.#value(object, share, (ref) => this.#share(ref, depth + 1), share)
  }

  /** The entries of a dictionary but those that are left out. */
  entries(dict: PDFDict, leftOut: readonly string[] = []): PDFDict {
    const kept = dict.clone(dict.context)
    for (const key of leftOut) kept.delete(PDFName.of(key))
    return this.copy(kept) as PDFDict
  }

  /** Copies what the copies refer to. */
  finish(): void {
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      this.#target.context.assign(next.to, this.copy(next.object))
    }
  }

  #value(
    object: PDFObject,
    copy: (value: PDFObject) => PDFObject,
    reference: (ref: PDFRef) => PDFObject,
    share: (value: PDFObject) => PDFObject,
  ): PDFObject {
    if (object instanceof PDFRef) return reference(object)
    if (object instanceof PDFDict) return this.#dictionary(object, copy, share)
    if (object instanceof PDFArray) {
      const array = PDFArray.withContext(this.#target.context)
      for (const item of object.asArray()) array.push(copy(item))
      return array
    }
    if (object instanceof PDFStream) {
      return PDFRawStream.of(this.#dictionary(object.dict, copy, share, lengthOfStream), object.getContents())
    }
    if (!(object instanceof PDFInvalidObject)) return object
    // Its bytes could have references of the source.
    this.isDamaged = true
    return PDFNull
  }

  #dictionary(
    dict: PDFDict,
    copy: (value: PDFObject) => PDFObject,
    share: (value: PDFObject) => PDFObject,
    leftOut?: PDFName,
  ): PDFDict {
    const copied = PDFDict.withContext(this.#target.context)
    for (const [key, value] of dict.entries()) {
      if (key === leftOut) continue
      const to = sharedEntries.has(key) ? share(value) : copy(value)
      if (to !== PDFNull) copied.set(key, to)
    }
    this.#adapt(copied)
    return copied
  }

  readonly #reference = (ref: PDFRef): PDFObject => {
    const known = this.#copied.get(ref)
    if (known) return known
    const object = resolved(this.source, ref)
    if (object === undefined || object === PDFNull || notCopied.has(typeOf(object) ?? '')) {
      this.#copied.set(ref, PDFNull)
      return PDFNull
    }
    const to = this.#target.context.nextRef()
    this.#copied.set(ref, to)
    this.#waiting.push({ to, object })
    return to
  }

  #share(ref: PDFRef, depth: number): PDFObject {
    const known = this.#copied.get(ref)
    if (known) return known
    const object = resolved(this.source, ref)
    const isCircle = this.#open.has(ref)
    if (object === undefined || isCircle || depth > maxSharedDepth || unique.has(typeOf(object) ?? '')) {
      return this.#reference(ref)
    }
    this.#open.add(ref)
    const copied = this.share(object, depth)
    this.#open.delete(ref)
    const ofCircle = this.#copied.get(ref)
    if (ofCircle) return ofCircle
    const key = hashOf(copied)
    const equal = this.#target.shared.get(key)
    const to = equal ?? this.#target.context.register(copied)
    this.#copied.set(ref, to)
    this.#target.shared.set(key, to)
    return to
  }
}

const typeOf = (object: PDFObject) =>
  object instanceof PDFDict ? nameIn(object, 'Type') : object instanceof PDFStream ? nameIn(object.dict, 'Type') : ''

function hashOf(object: PDFObject): string {
  const hash = createHash('sha1')
  if (object instanceof PDFStream) hash.update(object.dict.toString()).update(object.getContents())
  else hash.update(object.toString())
  return hash.digest('base64')
}
