import { PDFBool, type PDFContext, PDFDict, PDFNull, type PDFObject, PDFRef } from '@cantoo/pdf-lib'
import { dropSignature } from '../pdf/drop-signatures.ts'
import { arrayIn, dictIn, isTrue, itemsOf, name, resolved, textIn, textString } from '../pdf/entries.ts'
import { arrayOf } from '../pdf/trees.ts'
import type { Copier } from './copier.ts'

/** The fields at the top of the form of a source (ISO 32000-2, 12.7). */
export interface SourceForm {
  form: PDFDict
  fields: PDFRef[]
}

/** Undefined if there is no form. */
export function readForm(context: PDFContext, catalog: PDFDict): SourceForm | undefined {
  const form = dictIn(catalog, 'AcroForm')
  if (!form) return undefined
  const fields = itemsOf(arrayIn(form, 'Fields')).flatMap((field) => {
    if (field instanceof PDFRef) return field
    return field instanceof PDFDict ? context.register(field) : []
  })
  return { form, fields }
}

/** The form of all sources. */
export class Forms {
  readonly #context: PDFContext
  readonly #fields: PDFRef[] = []
  readonly #names = new Set<string>()
  readonly #resources = new Map<string, PDFDict>()
  readonly #order: PDFObject[] = []
  #needsAppearances = false
  #exists = false
  #hadXfa = false

  constructor(context: PDFContext) {
    this.#context = context
  }

  /**
   * `isWidgetKept`: whether an annotation is on a page of the new PDF. Fields without any are left out, unless the whole
   * source is kept.
   */
  add({ form, fields }: SourceForm, copier: Copier, { isWhole, isWidgetKept }: KeptFields): void {
    const kept = fields.filter((field) => isWhole || keepField(copier.source, field, copier, isWidgetKept))
    this.#hadXfa ||= form.has(name('XFA'))
    if (kept.length === 0) return
    this.#exists = true
    this.#needsAppearances ||= isTrue(form, 'NeedAppearances')
    const inherited = ['DA', 'Q'].map((key) => [key, form.get(name(key))] as const)
    for (const field of kept) {
      const copied = copier.copy(field)
      if (!(copied instanceof PDFRef)) continue
      copier.finish()
      const dict = resolved(this.#context, copied)
      if (!(dict instanceof PDFDict)) continue
      this.#fields.push(copied)
      this.#nameField(dict)
      for (const [key, value] of inherited) if (value && !dict.has(name(key))) dict.set(name(key), copier.copy(value))
    }
    this.#order.push(
      ...itemsOf(arrayIn(form, 'CO'))
        .map((field) => copier.copy(field))
        .filter((field) => field !== PDFNull),
    )
    const resources = dictIn(form, 'DR')
    if (resources) this.#addResources(copier.share(resources) as PDFDict)
  }

  /** Whether a source had an XFA form, which is left out: it describes all pages of its own file. */
  get hadXfa(): boolean {
    return this.#hadXfa
  }

  write(catalog: PDFDict): void {
    if (!this.#exists) return
    const context = this.#context
    const form = context.obj({ Fields: arrayOf(context, this.#fields) })
    if (this.#needsAppearances) form.set(name('NeedAppearances'), PDFBool.True)
    if (this.#order.length > 0) form.set(name('CO'), arrayOf(context, this.#order))
    if (this.#resources.size > 0) form.set(name('DR'), context.obj(Object.fromEntries(this.#resources)))
    catalog.set(name('AcroForm'), context.register(form))
  }

  /** Fields of one name are one field. As in qpdf, a later one gets a number. */
  #nameField(field: PDFDict): void {
    const title = textIn(field, 'T')
    if (title === undefined) return
    let unused = title
    for (let number = 1; this.#names.has(unused); number++) unused = `${title}+${number}`
    this.#names.add(unused)
    if (unused !== title) field.set(name('T'), textString(unused))
  }

  /** Fonts by the names that appearances of fields use. Of two with one name, the first is kept. */
  #addResources(added: PDFDict): void {
    for (const [category, value] of added.entries()) {
      const entries = resolved(this.#context, value)
      if (!(entries instanceof PDFDict)) continue
      const key = category.decodeText()
      const all = this.#resources.get(key) ?? PDFDict.withContext(this.#context)
      this.#resources.set(key, all)
      for (const [entry, object] of entries.entries()) if (!all.has(entry)) all.set(entry, object)
    }
  }
}

export interface KeptFields {
  isWhole: boolean
  isWidgetKept: (ref: PDFRef) => boolean
}

/** Whether a field has a widget that is kept. Those below it that have none are left out. */
function keepField(context: PDFContext, top: PDFRef, copier: Copier, isWidgetKept: (ref: PDFRef) => boolean): boolean {
  const order: { ref: PDFRef; kids: PDFRef[] }[] = []
  const seen = new Set<PDFRef>()
  const open = [top]
  for (let ref = open.pop(); ref; ref = open.pop()) {
    const dict = resolved(context, ref)
    if (!(dict instanceof PDFDict) || seen.has(ref)) continue
    seen.add(ref)
    const kids = itemsOf(arrayIn(dict, 'Kids')).filter((kid) => kid instanceof PDFRef)
    order.push({ ref, kids })
    open.push(...kids)
  }
  const kept = new Set<PDFRef>()
  for (const { ref, kids } of order.toReversed()) {
    if (isWidgetKept(ref) || kids.some((kid) => kept.has(kid))) kept.add(ref)
    else copier.map(ref, PDFNull)
  }
  return kept.has(top)
}

/** Changes a copied field: what is left out of its children, and its signature, which does not hold for another file. */
export function adaptField(copied: PDFDict): 'signature removed' | undefined {
  const kids = copied.get(name('Kids'))
  if (kids && arrayIn(copied, 'Kids') === kids && itemsOf(arrayIn(copied, 'Kids')).includes(PDFNull)) {
    const kept = itemsOf(arrayIn(copied, 'Kids')).filter((kid) => kid !== PDFNull)
    copied.set(name('Kids'), arrayOf(copied.context, kept))
  }
  return dropSignature(copied) ? 'signature removed' : undefined
}
