import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFRef,
} from '@cantoo/pdf-lib'
import {
  arrayIn,
  asDict,
  byteString,
  bytesOf,
  dictIn,
  isString,
  itemsOf,
  listOf,
  name,
  nameIn,
  numberIn,
  refIn,
  resolved,
} from '../pdf/entries.ts'
import { arrayOf, readNameTree, readNumberTree, writeNameTree, writeNumberTree } from '../pdf/trees.ts'
import type { Copier } from './copier.ts'
import { unusedName } from './destinations.ts'

// The structure tree, which has the tags (ISO 32000-2, 14.7).

/** More numbers than a PDF can have objects are an error in it. */
const maxKeys = 8_388_607

/** What an element has: other elements, and content of pages by its number or as a dictionary. */
type Kid = { element: Element } | { content: PDFObject; page: PDFRef | undefined; object?: PDFRef | undefined }

interface Element {
  dict: PDFDict
  ref: PDFRef | undefined
  page: PDFRef | undefined
  kids: Kid[]
  isKept: boolean
}

export interface StructureTree {
  root: PDFDict
  top: Element[]
  /** All, each after its parent. */
  all: Element[]
  parents: Map<number, PDFObject>
}

/** The tree of a source; undefined if it has no tags. Elements that occur twice are read once, so that a circle ends. */
export function readStructure(context: PDFContext, catalog: PDFDict): StructureTree | undefined {
  const root = dictIn(catalog, 'StructTreeRoot')
  if (!root) return undefined
  const all: Element[] = []
  const seen = new Set<PDFDict>([root])
  const elementOf = (object: PDFObject | undefined): Element | undefined => {
    const dict = resolved(context, object)
    if (!(dict instanceof PDFDict) || seen.has(dict)) return undefined
    seen.add(dict)
    const ref = object instanceof PDFRef ? object : undefined
    const element = { dict, ref, page: refIn(dict, 'Pg'), kids: [], isKept: false }
    all.push(element)
    return element
  }
  const top = listOf(context, root.get(name('K'))).flatMap((kid) => elementOf(kid) ?? [])
  for (let at = 0; at < all.length; at++) {
    const element = all[at]
    if (!element) continue
    for (const object of listOf(context, element.dict.get(name('K')))) {
      const kid = resolved(context, object)
      const type = kid instanceof PDFDict ? nameIn(kid, 'Type') : undefined
      if (kid instanceof PDFNumber) element.kids.push({ content: kid, page: element.page })
      else if (kid instanceof PDFDict && (type === 'MCR' || type === 'OBJR')) {
        const page = refIn(kid, 'Pg') ?? element.page
        element.kids.push({ content: kid, page, object: refIn(kid, 'Obj') })
      } else {
        const child = elementOf(object)
        if (child) element.kids.push({ element: child })
      }
    }
  }
  return { root, top, all, parents: readNumberTree(context, root.get(name('ParentTree'))) }
}

/** Which parts of a source are in the new PDF. */
export interface KeptContent {
  /** All pages are. */
  isWhole: boolean
  page: (ref: PDFRef) => boolean
  /** An annotation, which may be on a page that is not kept, or lead to one. */
  object: (ref: PDFRef) => boolean
}

export interface TagChanges {
  /** Before ids of elements, which are unique in a file. */
  idPrefix: string
  roles: ReadonlyMap<string, string>
  classes: ReadonlyMap<string, string>
}

/** The tags of all sources. */
export class Structure {
  readonly #context: PDFContext
  readonly #root: PDFRef
  readonly #top: PDFRef[] = []
  readonly #parents = new Map<number, PDFObject>()
  readonly #ids = new Map<string, PDFObject>()
  readonly #roles = new Map<string, PDFObject>()
  readonly #classes = new Map<string, PDFObject>()
  readonly #namespaces: PDFObject[] = []
  /** Added to the numbers of the next source by which its content finds its elements. */
  nextKey = 0

  constructor(context: PDFContext) {
    this.#context = context
    this.#root = context.nextRef()
  }

  /** What must change in a source so that its roles, classes and ids do not mean those of an earlier one. */
  changes({ root }: StructureTree, number: number): TagChanges {
    const hasIds = readNameTree(root.context, root.get(name('IDTree'))).size > 0
    return {
      idPrefix: hasIds && this.#ids.size > 0 ? `${number}.` : '',
      roles: otherMeanings(dictIn(root, 'RoleMap'), this.#roles, number),
      classes: otherMeanings(dictIn(root, 'ClassMap'), this.#classes, number),
    }
  }

  add(tree: StructureTree, copier: Copier, kept: KeptContent, changes: TagChanges): void {
    decideKept(tree, kept)
    const refs = new Map<Element, PDFRef>()
    for (const element of tree.all) {
      const ref = element.isKept ? this.#context.nextRef() : undefined
      if (ref) refs.set(element, ref)
      if (element.ref) copier.map(element.ref, ref ?? PDFNull)
    }
    const write = (element: Element, parent: PDFRef) => {
      const ref = refs.get(element)
      if (ref) this.#context.assign(ref, this.#element(element, { copier, parent, refs, kept, changes }))
    }
    for (const element of tree.top) write(element, this.#root)
    for (const element of tree.all) {
      const ref = refs.get(element)
      if (!ref) continue
      for (const kid of element.kids) if ('element' in kid) write(kid.element, ref)
    }
    this.#top.push(...tree.top.flatMap((element) => refs.get(element) ?? []))
    this.#addParents(tree, copier)
    this.#addNames(tree, copier, changes)
  }

  #element(element: Element, to: ElementTarget): PDFDict {
    const { copier, parent, refs, kept, changes } = to
    const copied = copier.entries(element.dict, ['K', 'P', 'Pg'])
    const page = element.page && copier.mapped(element.page)
    if (page) copied.set(name('Pg'), page)
    copied.set(name('P'), parent)
    changeTags(copied, changes)
    const kids = element.kids.flatMap((kid) => {
      if ('element' in kid) return refs.get(kid.element) ?? []
      return isKeptContent(kid, kept) ? copier.copy(kid.content) : []
    })
    const [only] = kids
    if (only) copied.set(name('K'), kids.length === 1 ? only : arrayOf(this.#context, kids))
    return copied
  }

  #addParents({ parents, root }: StructureTree, copier: Copier): void {
    const start = this.nextKey
    const own = numberIn(root, 'ParentTreeNextKey') ?? 0
    if (own > 0 && own < maxKeys) this.nextKey = start + own
    for (const [key, value] of parents) {
      if (!Number.isInteger(key) || key < 0 || key > maxKeys) continue
      this.nextKey = Math.max(this.nextKey, start + key + 1)
      const found = value instanceof PDFRef ? copier.mapped(value) : undefined
      const array = found ? undefined : resolved(copier.source, value)
      if (found) this.#parents.set(start + key, found)
      else if (array instanceof PDFArray) {
        const items = array.asArray().map((item) => (item instanceof PDFRef && copier.mapped(item)) || PDFNull)
        if (items.some((item) => item !== PDFNull)) this.#parents.set(start + key, arrayOf(this.#context, items))
      }
    }
  }

  #addNames({ root }: StructureTree, copier: Copier, { idPrefix, roles, classes }: TagChanges): void {
    for (const [id, value] of readNameTree(root.context, root.get(name('IDTree')))) {
      const element = value instanceof PDFRef ? copier.mapped(value) : undefined
      if (element) this.#ids.set(idPrefix + id, element)
    }
    for (const [key, value] of dictIn(root, 'RoleMap')?.entries() ?? []) {
      const role = value instanceof PDFName ? name(roles.get(value.decodeText()) ?? value.decodeText()) : value
      this.#roles.set(roles.get(key.decodeText()) ?? key.decodeText(), copier.copy(role))
    }
    for (const [key, value] of dictIn(root, 'ClassMap')?.entries() ?? []) {
      this.#classes.set(classes.get(key.decodeText()) ?? key.decodeText(), copier.copy(value))
    }
    this.#namespaces.push(...itemsOf(arrayIn(root, 'Namespaces')).map((namespace) => copier.copy(namespace)))
  }

  /** A PDF has one element at the top (ISO 32000-2, 14.8.4.3): those of several sources get one above them. */
  #topElement(): PDFRef {
    const [only] = this.#top
    if (only && this.#top.length === 1) return only
    const context = this.#context
    const entries = { Type: 'StructElem', S: 'Document', P: this.#root, K: arrayOf(context, this.#top) }
    const above = context.register(context.obj(entries))
    for (const ref of this.#top) asDict(context.lookup(ref))?.set(name('P'), above)
    return above
  }

  /** `isComplete`: every source has tags, so that a reader may rely on them. */
  write(catalog: PDFDict, isComplete: boolean): void {
    if (this.#top.length === 0) return
    const context = this.#context
    const root = context.obj({ Type: 'StructTreeRoot', K: this.#topElement() })
    const set = (key: string, value: PDFObject | undefined) => value && root.set(name(key), value)
    set('ParentTree', writeNumberTree(context, this.#parents))
    set('ParentTreeNextKey', PDFNumber.of(this.nextKey))
    set('IDTree', writeNameTree(context, this.#ids))
    if (this.#roles.size > 0) set('RoleMap', context.obj(Object.fromEntries(this.#roles)))
    if (this.#classes.size > 0) set('ClassMap', context.obj(Object.fromEntries(this.#classes)))
    if (this.#namespaces.length > 0) set('Namespaces', arrayOf(context, this.#namespaces))
    context.assign(this.#root, root)
    catalog.set(name('StructTreeRoot'), this.#root)
    if (isComplete) catalog.set(name('MarkInfo'), context.obj({ Marked: true }))
  }
}

interface ElementTarget {
  copier: Copier
  parent: PDFRef
  refs: ReadonlyMap<Element, PDFRef>
  kept: KeptContent
  changes: TagChanges
}

/** An element is kept if content of it is, or if nothing of it was on a page. */
function decideKept({ all }: StructureTree, kept: KeptContent): void {
  for (const element of all.toReversed()) {
    element.isKept =
      kept.isWhole || element.kids.some((kid) => ('element' in kid ? kid.element.isKept : isKeptContent(kid, kept)))
  }
}

function isKeptContent({ page, object }: Exclude<Kid, { element: Element }>, kept: KeptContent): boolean {
  if (object) return kept.object(object)
  return page === undefined ? kept.isWhole : kept.page(page)
}

function otherMeanings(own: PDFDict | undefined, used: ReadonlyMap<string, PDFObject>, number: number) {
  const changed = new Map<string, string>()
  for (const [key, value] of own?.entries() ?? []) {
    const text = key.decodeText()
    const before = used.get(text)
    if (before === undefined || before.toString() === value.toString()) continue
    changed.set(
      text,
      unusedName(text, number, (candidate) => used.has(candidate) || (own?.has(name(candidate)) ?? false)),
    )
  }
  return changed
}

function changeTags(element: PDFDict, { idPrefix, roles, classes }: TagChanges): void {
  const role = roles.get(nameIn(element, 'S') ?? '')
  if (role !== undefined) element.set(name('S'), name(role))
  const id = element.get(name('ID'))
  if (idPrefix !== '' && isString(id)) element.set(name('ID'), byteString(idPrefix + bytesOf(id)))
  if (classes.size > 0) {
    const named = element.get(name('C'))
    const change = (item: PDFObject) =>
      item instanceof PDFName ? name(classes.get(item.decodeText()) ?? item.decodeText()) : item
    if (named instanceof PDFArray) element.set(name('C'), arrayOf(element.context, named.asArray().map(change)))
    else if (named) element.set(name('C'), change(named))
  }
}

/** The ids of header cells in the attributes of a table cell (ISO 32000-2, table 384). */
export function prefixHeaders(copied: PDFDict, idPrefix: string): void {
  const headers = idPrefix === '' ? undefined : copied.get(name('Headers'))
  if (!(headers instanceof PDFArray)) return
  const changed = headers.asArray().map((id) => (isString(id) ? byteString(idPrefix + bytesOf(id)) : id))
  copied.set(name('Headers'), arrayOf(copied.context, changed))
}

/** The numbers by which pages, annotations and drawn objects find their elements. `by` is undefined without tags. */
export function shiftKeys(copied: PDFDict, by: number | undefined): void {
  for (const key of ['StructParents', 'StructParent']) {
    const number = numberIn(copied, key)
    if (number === undefined) continue
    if (by === undefined) copied.delete(name(key))
    else copied.set(name(key), PDFNumber.of(number + by))
  }
}
