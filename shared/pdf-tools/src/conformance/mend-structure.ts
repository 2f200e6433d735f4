import { PDFArray, type PDFDict, type PDFDocument, PDFHexString, PDFName, PDFString } from '@cantoo/pdf-lib'
import { addAnnotationElement } from './annotation-element.ts'
import { ParentTree } from './parent-tree.ts'
import { annotations, at, dictAt, has, nameAt, set, textAt } from './pdf-objects.ts'
import {
  isElement,
  kidsOf,
  readStructure,
  type StructureContent,
  type StructureElement,
  type StructureTree,
  standardTypes,
} from './structure-tree.ts'

/**
 * Repairs what a structure tree of Chromium lacks for PDF/UA-1: roles of its own types, bodies of list items, the scope of
 * header cells, identifiers of notes, elements and descriptions of links. `texts` has the text of marked content by page.
 */
export function mendStructure(document: PDFDocument, texts: readonly ReadonlyMap<number, string>[]): void {
  const tree = readStructure(document)
  if (tree === undefined) return
  const parents = new ParentTree(document, tree.root)
  mapRoles(document, tree)
  for (const [index, element] of tree.elements.entries()) {
    if (element.role === 'LI') wrapItem(document, element, parents)
    if (element.role === 'Figure' && isGroup(element)) set(element.dict, 'S', PDFName.of('Sect'))
    if (element.role === 'TH') setScope(document, element)
    if (element.role === 'Note' && !has(element.dict, 'ID')) set(element.dict, 'ID', PDFString.of(`note-${index}`))
  }
  mendAnnotations(document, { tree, parents, texts })
}

/** The element `figure` of HTML around what describes itself: a table, a list, or a picture with an alternative text. */
function isGroup(element: StructureElement): boolean {
  if (textAt(element.dict, 'Alt') !== undefined || textAt(element.dict, 'ActualText') !== undefined) return false
  return element.children.some((child) => isElement(child) && describesItself(child))
}

function describesItself(element: StructureElement): boolean {
  if (element.role === 'Figure') return textAt(element.dict, 'Alt') !== undefined || isGroup(element)
  if (['Table', 'L', 'Code', 'BlockQuote'].includes(element.role)) return true
  return (
    ['NonStruct', 'Div', 'Sect', 'Span'].includes(element.role) &&
    element.children.some((child) => isElement(child) && describesItself(child))
  )
}

/** Types of PDF 2.0 and of HTML that Chromium writes, and the type of PDF 1.7 that is nearest. */
const nearestTypes: Readonly<Record<string, string>> = {
  Strong: 'Span',
  Em: 'Span',
  Sub: 'Span',
  Mark: 'Span',
  Ins: 'Span',
  Del: 'Span',
  Aside: 'Sect',
  DocumentFragment: 'Sect',
  FENote: 'Note',
  Title: 'P',
}

function mapRoles({ context }: PDFDocument, { root, elements }: StructureTree): void {
  for (const type of new Set(elements.map((element) => element.role))) {
    const nearest = nearestTypes[type]
    if (standardTypes.has(type) || nearest === undefined) continue
    const map = dictAt(root, 'RoleMap') ?? context.obj({})
    set(map, type, PDFName.of(nearest))
    set(root, 'RoleMap', map)
  }
}

/** `LI` holds only `Lbl` and `LBody` (ISO 32000-1, table 336): all else moves into the body. */
function wrapItem({ context }: PDFDocument, item: StructureElement, parents: ParentTree): void {
  const kids = kidsOf(item.dict)
  const isOutside = item.children.map((child) => !isElement(child) || !['Lbl', 'LBody'].includes(child.role))
  if (item.ref === undefined || kids.length !== item.children.length || !isOutside.includes(true)) return
  const body = context.obj({ Type: 'StructElem', S: 'LBody', P: item.ref })
  const ref = context.register(body)
  const page = item.dict.get(PDFName.of('Pg'))
  if (page !== undefined) set(body, 'Pg', page)
  const moved: StructureElement['children'] = []
  const inside = context.obj([]) as PDFArray
  const kept = context.obj([]) as PDFArray
  for (const [index, child] of item.children.entries()) {
    const raw = kids[index]?.raw
    if (raw === undefined) continue
    const isMoved = isOutside[index] === true || (isElement(child) && child.role === 'LBody')
    ;(isMoved ? inside : kept).push(raw)
    if (isMoved) moved.push(child)
  }
  kept.push(ref)
  set(item.dict, 'K', kept)
  set(body, 'K', inside)
  for (const child of moved) {
    if (isElement(child)) {
      set(child.dict, 'P', ref)
      // A body inside of the body would be no child of an item any more.
      if (child.role === 'LBody') set(child.dict, 'S', PDFName.of('Div'))
    } else if (child.mcid !== undefined) parents.moveContent(child.page, child.mcid, ref)
    else if (child.object !== undefined) parents.setElement(child.object, ref)
  }
}

/** The scope of a header cell as HTML has it by default: that of a row if it is beside data, else that of a column. */
function setScope({ context }: PDFDocument, cell: StructureElement): void {
  const attributes = at(cell.dict, 'A')
  const all =
    attributes instanceof PDFArray ? attributes.asArray().map((_, index) => attributes.lookup(index)) : [attributes]
  if (all.some((each) => each !== undefined && 'get' in each && nameAt(each as PDFDict, 'Scope') !== undefined)) return
  if (has(cell.dict, 'Headers')) return
  const isBesideData = cell.parent?.children.some((sibling) => isElement(sibling) && sibling.role === 'TD') === true
  const scope = context.obj({ O: 'Table', Scope: isBesideData ? 'Row' : 'Column' })
  if (attributes instanceof PDFArray) attributes.push(scope)
  else set(cell.dict, 'A', context.obj(attributes === undefined ? [scope] : [attributes, scope]))
}

function mendAnnotations(
  document: PDFDocument,
  { tree, parents, texts }: { tree: StructureTree; parents: ParentTree; texts: readonly ReadonlyMap<number, string>[] },
): void {
  const pages = document.getPages()
  const byPage = new Map<PDFDict | undefined, ReadonlyMap<number, string> | undefined>(
    pages.map((page, index) => [page.node, texts[index]]),
  )
  const elements = new Map(tree.elements.map((element) => [element.dict, element]))
  const textOf = (element: StructureElement) => elementText(element, (page) => byPage.get(page))
  for (const page of pages) {
    const found = annotations(page.node)
    if (found.length > 0) set(page.node, 'Tabs', PDFName.of('S'))
    for (const { dict, ref } of found) {
      if (nameAt(dict, 'Subtype') !== 'Link') continue
      const element = elements.get(parents.elementOf(dict) ?? dict)
      if (element === undefined && ref !== undefined) {
        addAnnotationElement(document, { type: 'Link', dict, ref, page: page.ref }, parents)
      }
      const text = element === undefined ? '' : textOf(element)
      if ((textAt(dict, 'Contents') ?? '') === '') {
        set(dict, 'Contents', PDFHexString.fromText(text || textAt(dictAt(dict, 'A'), 'URI') || 'Link'))
      }
    }
  }
}

/** The text of an element, or what replaces it. At most 500 characters. */
function elementText(
  element: StructureElement,
  textsOf: (page: StructureContent['page']) => ReadonlyMap<number, string> | undefined,
): string {
  const replaced = textAt(element.dict, 'ActualText') ?? textAt(element.dict, 'Alt')
  if (replaced !== undefined) return replaced
  const parts = element.children.map((child) => {
    if (isElement(child)) return elementText(child, textsOf)
    return child.mcid === undefined ? '' : (textsOf(child.page)?.get(child.mcid) ?? '')
  })
  return parts.join(' ').replace(/\s+/g, ' ').trim().slice(0, 500)
}
