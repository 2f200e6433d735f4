import { PDFArray, PDFDict, type PDFDocument } from '@cantoo/pdf-lib'
import { ParentTree } from './parent-tree.ts'
import { annotations, at, dictAt, has, isTrueAt, nameAt, numberAt, textAt } from './pdf-objects.ts'
import { isElement, readStructure, type StructureElement, standardTypes } from './structure-tree.ts'
import type { Violations } from './violation.ts'

/** What holds the children of a type, or which parents it has (ISO 32000-1, 14.8.4.3), with the test of ISO 14289-1, 7.2. */
const allowedChildren: Readonly<Record<string, { test: number; types: readonly string[] }>> = {
  Table: { test: 3, types: ['TR', 'THead', 'TBody', 'TFoot', 'Caption'] },
  TR: { test: 10, types: ['TH', 'TD'] },
  THead: { test: 36, types: ['TR'] },
  TBody: { test: 37, types: ['TR'] },
  TFoot: { test: 38, types: ['TR'] },
  L: { test: 19, types: ['L', 'LI', 'Caption'] },
  LI: { test: 20, types: ['Lbl', 'LBody'] },
}
const allowedParents: Readonly<Record<string, { test: number; types: readonly string[] }>> = {
  TR: { test: 4, types: ['Table', 'THead', 'TBody', 'TFoot'] },
  THead: { test: 5, types: ['Table'] },
  TBody: { test: 6, types: ['Table'] },
  TFoot: { test: 7, types: ['Table'] },
  TH: { test: 8, types: ['TR'] },
  TD: { test: 9, types: ['TR'] },
  LI: { test: 17, types: ['L'] },
  LBody: { test: 18, types: ['LI'] },
}

/** The rules of PDF/UA-1 for the structure of a document, after it was mended. */
export function checkStructure(document: PDFDocument, found: Violations): void {
  const tree = readStructure(document)
  if (tree === undefined) {
    found.add('7.1', 11, 'the document has no tags. Print it with the option "tagged"')
    return
  }
  if (isTrueAt(dictAt(document.catalog, 'MarkInfo'), 'Suspects')) found.add('7.1', 4, 'the tags are marked as suspect')
  const numbers = new Map<PDFDict | undefined, number>(document.getPages().map((page, index) => [page.node, index + 1]))
  const placeOf = (element: StructureElement) => {
    const number = numbers.get(firstPage(element))
    return number === undefined ? 'the document' : `page ${number}`
  }
  for (const element of tree.elements) checkElement(element, found, placeOf(element))
  checkHeadings(tree.elements, found, placeOf)
  checkAnnotations(document, new ParentTree(document, tree.root), tree.elements, found)
}

function checkElement(element: StructureElement, found: Violations, place: string): void {
  const { role, dict } = element
  if (!standardTypes.has(role)) found.add('7.1', 5, `${place}: the tag ${role} is mapped to no standard type`)
  const isDescribed = textAt(dict, 'Alt') !== undefined || textAt(dict, 'ActualText') !== undefined
  if (role === 'Figure' && !isDescribed) {
    found.add('7.3', 1, `${place}: a picture has no alternative text. Set alt, or aria-label of an svg or canvas`)
  }
  if (role === 'Formula' && !isDescribed) found.add('7.7', 1, `${place}: a formula has no alternative text`)
  const children = element.children.filter(isElement)
  const allowed = allowedChildren[role]
  for (const child of children) {
    if (allowed === undefined || allowed.types.includes(child.role)) continue
    found.add(
      '7.2',
      allowed.test,
      `${place}: ${role} has the child ${child.role}, and may have ${allowed.types.join(', ')}`,
    )
  }
  const parents = allowedParents[role]
  const parent = element.parent?.role ?? 'none'
  if (parents !== undefined && !parents.types.includes(parent)) {
    found.add(
      '7.2',
      parents.test,
      `${place}: ${role} is a child of ${parent}, and may be one of ${parents.types.join(', ')}`,
    )
  }
  if (role === 'Table') checkTable(element, found, place)
}

/** Levels of headings begin at 1 and leave none out (7.4.2). */
function checkHeadings(
  elements: readonly StructureElement[],
  found: Violations,
  placeOf: (element: StructureElement) => string,
): void {
  let level = 0
  for (const element of elements) {
    const own = /^H([1-6])$/.exec(element.role)?.[1]
    if (own === undefined) continue
    if (Number(own) > level + 1) {
      const before = level === 0 ? 'is the first heading' : `follows h${level}`
      found.add('7.4.2', 1, `${placeOf(element)}: h${own} ${before}: levels of headings leave none out`)
    }
    level = Number(own)
  }
}

function checkAnnotations(
  document: PDFDocument,
  parents: ParentTree,
  elements: readonly StructureElement[],
  found: Violations,
): void {
  const roles = new Map<PDFDict, string>(elements.map((element) => [element.dict, element.role]))
  for (const [index, page] of document.getPages().entries()) {
    const place = `page ${index + 1}`
    const all = annotations(page.node)
    if (all.length > 0 && nameAt(page.node, 'Tabs') !== 'S')
      found.add('7.18.3', 1, `${place}: the order of tabs is not S`)
    for (const { dict } of all)
      checkAnnotation(dict, { role: roles.get(parents.elementOf(dict) ?? dict), found, place })
  }
}

const hidden = 2

function checkAnnotation(
  dict: PDFDict,
  { role, found, place }: { role: string | undefined; found: Violations; place: string },
): void {
  const subtype = nameAt(dict, 'Subtype') ?? ''
  if (((numberAt(dict, 'F') ?? 0) & hidden) !== 0 || subtype === 'Popup') return
  if (subtype === 'Link') {
    if (role !== 'Link') found.add('7.18.5', 1, `${place}: a link is not in a Link element`)
    if ((textAt(dict, 'Contents') ?? '') === '') found.add('7.18.5', 2, `${place}: a link has no description`)
  } else if (subtype === 'Widget') {
    if (role !== 'Form') found.add('7.18.4', 1, `${place}: a form field is not in a Form element`)
    if (!has(dict, 'TU') && !has(dictAt(dict, 'Parent'), 'TU')) {
      found.add('7.18.1', 3, `${place}: a form field has no description (TU)`)
    }
  } else if (subtype === 'PrinterMark') found.add('7.18.8', 1, `${place}: a printer's mark is an annotation`)
  else if (subtype === 'TrapNet') found.add('7.18.2', 1, `${place}: an annotation has the type TrapNet`)
  else {
    if (role !== 'Annot')
      found.add('7.18.1', 1, `${place}: an annotation of the type ${subtype} is not in an Annot element`)
    if ((textAt(dict, 'Contents') ?? '') === '') found.add('7.18.1', 2, `${place}: an annotation has no description`)
  }
}

function firstPage(element: StructureElement): PDFDict | undefined {
  const own = dictAt(element.dict, 'Pg')
  if (own !== undefined) return own
  for (const child of element.children) {
    const page = isElement(child) ? firstPage(child) : child.page
    if (page !== undefined) return page
  }
  return undefined
}

/** Rows of a table have the same number of columns, spans counted (ISO 14289-1, 7.2). */
function checkTable(table: StructureElement, found: Violations, place: string): void {
  const rows = rowsOf(table)
  const widths: number[] = []
  /** Of each column, for how many more rows a cell above fills it. */
  let filled: number[] = []
  for (const row of rows) {
    const next = filled.map((rest) => Math.max(0, rest - 1))
    let column = 0
    for (const cell of row.children.filter(isElement)) {
      while ((filled[column] ?? 0) > 0) column += 1
      const columns = Math.min(spanOf(cell, 'ColSpan'), 1_000)
      for (let index = column; index < column + columns; index++) next[index] = spanOf(cell, 'RowSpan') - 1
      column += columns
    }
    widths.push(Math.max(column, filled.findLastIndex((rest) => rest > 0) + 1))
    filled = next
  }
  if (new Set(widths).size > 1) {
    found.add('7.2', 43, `${place}: the rows of a table have different numbers of columns. Add cells, or set colspan`)
  }
  if (filled.some((rest) => rest > 0)) {
    found.add('7.2', 42, `${place}: a cell of a table spans more rows than the table has. Correct its rowspan`)
  }
}

function rowsOf(table: StructureElement): StructureElement[] {
  return table.children.filter(isElement).flatMap((child) => {
    if (child.role === 'TR') return [child]
    return ['THead', 'TBody', 'TFoot'].includes(child.role) ? rowsOf(child) : []
  })
}

/** An attribute of the owner `Table` (ISO 32000-1, table 349). */
function spanOf(cell: StructureElement, key: 'ColSpan' | 'RowSpan'): number {
  const attributes = at(cell.dict, 'A')
  const all =
    attributes instanceof PDFArray ? attributes.asArray().map((_, index) => attributes.lookup(index)) : [attributes]
  for (const each of all) {
    const span = each instanceof PDFDict ? numberAt(each, key) : undefined
    if (span !== undefined) return Math.max(1, span)
  }
  return 1
}
