import { type PDFContext, PDFDict, PDFNull, type PDFObject } from '@cantoo/pdf-lib'
import { arrayIn, dictIn, itemsOf, name, nameIn } from '../pdf/entries.ts'
import { arrayOf } from '../pdf/trees.ts'
import type { Copier } from './copier.ts'

const lists = ['ON', 'OFF', 'Order', 'RBGroups', 'Locked', 'AS'] as const

/** The layers of all sources, and which are shown (optional content, ISO 32000-2, 8.11). */
export class Layers {
  readonly #context: PDFContext
  readonly #groups: PDFObject[] = []
  readonly #lists = new Map<string, PDFObject[]>()

  constructor(context: PDFContext) {
    this.#context = context
  }

  add(catalog: PDFDict, copier: Copier): void {
    const properties = dictIn(catalog, 'OCProperties')
    const configuration = properties && dictIn(properties, 'D')
    if (!properties || !configuration) return
    const groups = itemsOf(arrayIn(properties, 'OCGs')).map((group) => copier.copy(group))
    this.#groups.push(...groups.filter((group) => group !== PDFNull))
    const copied = new Map(
      lists.map((key) => [key, itemsOf(arrayIn(configuration, key)).map((item) => copier.copy(item))]),
    )
    if (nameIn(configuration, 'BaseState') === 'OFF') {
      const shown = new Set(copied.get('ON'))
      copied.set(
        'OFF',
        groups.filter((group) => !shown.has(group)),
      )
    }
    for (const [key, items] of copied) {
      this.#lists.set(key, [...(this.#lists.get(key) ?? []), ...items.filter((item) => item !== PDFNull)])
    }
  }

  write(catalog: PDFDict): void {
    if (this.#groups.length === 0) return
    const context = this.#context
    const configuration = PDFDict.withContext(context)
    for (const [key, items] of this.#lists) {
      if (items.length > 0) configuration.set(name(key), arrayOf(context, items))
    }
    const properties = context.obj({ OCGs: arrayOf(context, this.#groups), D: configuration })
    catalog.set(name('OCProperties'), properties)
  }
}
