import { type PDFContext, type PDFDict, PDFNull, type PDFObject } from '@cantoo/pdf-lib'
import { arrayIn, dictIn, itemsOf, name } from '../pdf/entries.ts'
import { arrayOf, readNameTree, writeNameTree } from '../pdf/trees.ts'
import type { Copier } from './copier.ts'
import { unusedName } from './destinations.ts'

/** The files in all sources (ISO 32000-2, 7.11.4), and which of them belong to the whole PDF (14.13). */
export class EmbeddedFiles {
  readonly #context: PDFContext
  readonly #files = new Map<string, PDFObject>()
  readonly #associated: PDFObject[] = []

  constructor(context: PDFContext) {
    this.#context = context
  }

  add(catalog: PDFDict, copier: Copier, number: number): void {
    const names = dictIn(catalog, 'Names')
    for (const [key, file] of readNameTree(copier.source, names?.get(name('EmbeddedFiles')))) {
      const copied = copier.copy(file)
      const unused = this.#files.has(key) ? unusedName(key, number, (text) => this.#files.has(text)) : key
      if (copied !== PDFNull) this.#files.set(unused, copied)
    }
    const associated = itemsOf(arrayIn(catalog, 'AF')).map((file) => copier.copy(file))
    this.#associated.push(...associated.filter((file) => file !== PDFNull))
  }

  write(catalog: PDFDict, names: PDFDict): void {
    const tree = writeNameTree(this.#context, this.#files)
    if (tree) names.set(name('EmbeddedFiles'), tree)
    if (this.#associated.length > 0) catalog.set(name('AF'), arrayOf(this.#context, this.#associated))
  }
}
