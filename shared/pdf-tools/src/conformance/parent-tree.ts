import { PDFArray, type PDFDict, type PDFDocument, PDFNumber, type PDFRef } from '@cantoo/pdf-lib'
import { arrayAt, asDict, dictAt, numberAt, set } from './pdf-objects.ts'

/** The number tree that leads from content to its element (ISO 32000-1, 14.7.4.4). */
export class ParentTree {
  readonly #root: PDFDict
  readonly #document: PDFDocument
  readonly #places = new Map<number, { nums: PDFArray; index: number }>()
  #next: number

  constructor(document: PDFDocument, structureRoot: PDFDict) {
    this.#document = document
    this.#root = structureRoot
    this.#read(dictAt(structureRoot, 'ParentTree'), 0)
    this.#next = Math.max(
      numberAt(structureRoot, 'ParentTreeNextKey') ?? 0,
      ...[...this.#places.keys()].map((key) => key + 1),
    )
  }

  /** The element of a page's marked content becomes another one. */
  moveContent(page: PDFDict | undefined, mcid: number, element: PDFRef): void {
    const key = numberAt(page, 'StructParents')
    const place = key === undefined ? undefined : this.#places.get(key)
    const elements = place?.nums.lookup(place.index)
    if (elements instanceof PDFArray && mcid >= 0 && mcid < elements.size()) elements.set(mcid, element)
  }

  /** The element of an annotation becomes this one. An annotation without a key gets the next one. */
  setElement(annotation: PDFDict, element: PDFRef): void {
    const key = numberAt(annotation, 'StructParent')
    const place = key === undefined ? undefined : this.#places.get(key)
    if (place !== undefined) {
      place.nums.set(place.index, element)
      return
    }
    const tree = dictAt(this.#root, 'ParentTree') ?? this.#document.context.obj({})
    set(this.#root, 'ParentTree', tree)
    const last = this.#lastNums(tree)
    last.push(PDFNumber.of(this.#next))
    last.push(element)
    this.#places.set(this.#next, { nums: last, index: last.size() - 1 })
    set(annotation, 'StructParent', PDFNumber.of(this.#next))
    this.#next += 1
    set(this.#root, 'ParentTreeNextKey', PDFNumber.of(this.#next))
  }

  /** The element of an annotation; undefined if it has none. */
  elementOf(annotation: PDFDict): PDFDict | undefined {
    const key = numberAt(annotation, 'StructParent')
    const place = key === undefined ? undefined : this.#places.get(key)
    return place === undefined ? undefined : asDict(place.nums.lookup(place.index))
  }

  #read(node: PDFDict | undefined, depth: number): void {
    if (node === undefined || depth > 16) return
    const nums = arrayAt(node, 'Nums')
    for (let index = 0; nums !== undefined && index + 1 < nums.size(); index += 2) {
      const key = nums.lookup(index)
      if (key instanceof PDFNumber) this.#places.set(key.asNumber(), { nums, index: index + 1 })
    }
    const kids = arrayAt(node, 'Kids')
    for (let index = 0; kids !== undefined && index < kids.size(); index++) {
      this.#read(asDict(kids.lookup(index)), depth + 1)
    }
  }

  /** Keys ascend, so a new one belongs into the last leaf. Its limits and those above it grow. */
  #lastNums(tree: PDFDict): PDFArray {
    let node = tree
    for (let depth = 0; depth < 16; depth++) {
      const limits = arrayAt(node, 'Limits')
      if (limits !== undefined && limits.size() === 2) limits.set(1, PDFNumber.of(this.#next))
      const kids = arrayAt(node, 'Kids')
      const last = kids === undefined || kids.size() === 0 ? undefined : asDict(kids.lookup(kids.size() - 1))
      if (last === undefined) break
      node = last
    }
    const nums = arrayAt(node, 'Nums')
    if (nums !== undefined) return nums
    const created = this.#document.context.obj([]) as PDFArray
    set(node, 'Nums', created)
    return created
  }
}
