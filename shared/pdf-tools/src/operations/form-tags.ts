import { PDFArray, PDFDict, PDFNumber, type PDFObject, PDFRef } from '@cantoo/pdf-lib'
import { dictIn, listOf, name, nameIn, numberIn, refIn, resolved } from '../pdf/entries.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import type { PdfPage } from '../pdf/read-pages.ts'
import { arrayOf, readNumberTree, writeNumberTree } from '../pdf/trees.ts'

/** The tags of form fields that become content: elements name content of a page in the place of the field. */
export class FormTags {
  readonly #context: OpenPdf['context']
  readonly #root: PDFDict | undefined
  readonly #parents: Map<number, PDFObject>
  #nextKey: number

  constructor({ context, catalog }: OpenPdf) {
    this.#context = context
    this.#root = dictIn(catalog, 'StructTreeRoot')
    this.#parents = this.#root ? readNumberTree(context, this.#root.get(name('ParentTree'))) : new Map()
    this.#nextKey = [...this.#parents.keys()].reduce((max, key) => Math.max(max, key + 1), 0)
  }

  /** The operators with the mark that its element names, or as an artifact if no element names the field. */
  tagged(widget: PDFDict, object: PDFObject, page: PdfPage, operators: string): string {
    const element = this.#elementOf(widget)
    if (!element) return this.#root ? `/Artifact BMC\n${operators}\nEMC` : operators
    const [key, contents] = this.#contentsOf(page)
    const id = contents.size()
    contents.push(element.ref)
    this.#parents.set(key, contents)
    const content = this.#context.obj({ Type: 'MCR', Pg: page.ref, MCID: id })
    this.#replace(element.dict, object, content)
    return `/${nameIn(element.dict, 'S') ?? 'Form'} <</MCID ${id}>> BDC\n${operators}\nEMC`
  }

  /** Of a field that shows nothing. */
  remove(widget: PDFDict, object: PDFObject): void {
    const element = this.#elementOf(widget)
    if (element) this.#replace(element.dict, object, undefined)
  }

  write(): void {
    const tree = writeNumberTree(this.#context, this.#parents)
    if (!this.#root || !tree) return
    this.#root.set(name('ParentTree'), tree)
    this.#root.set(name('ParentTreeNextKey'), PDFNumber.of(this.#nextKey))
  }

  #elementOf(widget: PDFDict): { ref: PDFRef; dict: PDFDict } | undefined {
    const key = numberIn(widget, 'StructParent')
    const ref = key === undefined ? undefined : this.#parents.get(key)
    const dict = resolved(this.#context, ref)
    if (key !== undefined) this.#parents.delete(key)
    return ref instanceof PDFRef && dict instanceof PDFDict ? { ref, dict } : undefined
  }

  /** The elements of the content of a page by its marks. */
  #contentsOf({ dict }: PdfPage): [number, PDFArray] {
    const known = numberIn(dict, 'StructParents')
    const key = known ?? this.#nextKey++
    if (known === undefined) dict.set(name('StructParents'), PDFNumber.of(key))
    const contents = resolved(this.#context, this.#parents.get(key))
    return [key, contents instanceof PDFArray ? contents : this.#context.obj([])]
  }

  #replace(element: PDFDict, object: PDFObject, content: PDFObject | undefined): void {
    const kids = listOf(this.#context, element.get(name('K'))).flatMap((kid) => {
      const dict = resolved(this.#context, kid)
      const isField = dict instanceof PDFDict && nameIn(dict, 'Type') === 'OBJR' && refIn(dict, 'Obj') === object
      return isField ? (content ?? []) : kid
    })
    element.set(name('K'), arrayOf(this.#context, kids))
  }
}
