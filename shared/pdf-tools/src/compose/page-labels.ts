import { type PDFContext, PDFDict, PDFNumber, type PDFObject } from '@cantoo/pdf-lib'
import { name, numberIn, resolved } from '../pdf/entries.ts'
import { readNumberTree, writeNumberTree } from '../pdf/trees.ts'
import type { Copier } from './copier.ts'

/** The labels that viewers show instead of page numbers (ISO 32000-2, 12.4.2), of all sources. */
export class PageLabels {
  readonly #context: PDFContext
  readonly #labels = new Map<number, PDFObject>()
  #exist = false

  constructor(context: PDFContext) {
    this.#context = context
  }

  /** `pages`: the kept pages of the source, from 1. `start`: how many pages are before them in the new PDF. */
  add(catalog: PDFDict, pages: readonly number[], start: number, copier: Copier): void {
    const ranges = [...readNumberTree(copier.source, catalog.get(name('PageLabels')))].sort(([a], [b]) => a - b)
    this.#exist ||= ranges.length > 0
    let at = -1
    for (const [index, page] of pages.entries()) {
      const before = at
      while ((ranges[at + 1]?.[0] ?? Number.POSITIVE_INFINITY) < page) at++
      if (index > 0 && page === (pages[index - 1] ?? 0) + 1 && at === before) continue
      const [first, range] = ranges[at] ?? [0, undefined]
      this.#labels.set(start + index, this.#label(range, page - 1 - first, copier))
      at = page < (pages[index + 1] ?? 0) ? at : -1
    }
  }

  write(catalog: PDFDict): void {
    const tree = this.#exist ? writeNumberTree(this.#context, this.#labels) : undefined
    if (tree) catalog.set(name('PageLabels'), tree)
  }

  /** The label of the page that is so many pages after the begin of a range. */
  #label(range: PDFObject | undefined, offset: number, copier: Copier): PDFDict {
    const found = resolved(copier.source, range)
    if (!(found instanceof PDFDict)) return this.#context.obj({ S: 'D', St: offset + 1 })
    const copied = copier.entries(found, ['St'])
    copied.set(name('St'), PDFNumber.of((numberIn(found, 'St') ?? 1) + offset))
    return copied
  }
}
