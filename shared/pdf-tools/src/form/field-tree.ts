import type { PDFContext, PDFDict, PDFRef } from '@cantoo/pdf-lib'
import { name, textString } from '../pdf/entries.ts'
import { arrayOf } from '../pdf/trees.ts'

/** Fields by their full names. Each partial name with others below it is a field of its own (ISO 32000-2, 12.7.4.1). */
export class FieldTree {
  readonly #context: PDFContext
  readonly #top: PDFRef[] = []
  readonly #groups = new Map<string, { ref: PDFRef; dict: PDFDict; kids: PDFRef[] }>()

  constructor(context: PDFContext) {
    this.#context = context
  }

  add(fullName: string, { ref, dict }: { ref: PDFRef; dict: PDFDict }): void {
    const parts = fullName.split('.')
    dict.set(name('T'), textString(parts.at(-1) ?? ''))
    this.#attach(ref, dict, parts.slice(0, -1))
  }

  /** The fields at the top. */
  write(): PDFRef[] {
    for (const { dict, kids } of this.#groups.values()) dict.set(name('Kids'), arrayOf(this.#context, kids))
    return this.#top
  }

  #attach(ref: PDFRef, dict: PDFDict, parents: readonly string[]): void {
    if (parents.length === 0) this.#top.push(ref)
    else {
      const group = this.#group(parents)
      dict.set(name('Parent'), group.ref)
      group.kids.push(ref)
    }
  }

  #group(parts: readonly string[]) {
    const key = parts.join('.')
    const known = this.#groups.get(key)
    if (known) return known
    const dict = this.#context.obj({ T: textString(parts.at(-1) ?? '') })
    const group = { ref: this.#context.register(dict), dict, kids: [] }
    this.#groups.set(key, group)
    this.#attach(group.ref, dict, parts.slice(0, -1))
    return group
  }
}
