import { PDFArray, type PDFDict, type PDFDocument, PDFNumber, type PDFObject, PDFRef } from '@cantoo/pdf-lib'
import { asDict, at, dictAt, nameAt, numberAt } from './pdf-objects.ts'

/** Marked content, or an annotation, that belongs to an element. */
export interface StructureContent {
  /** The page of marked content; undefined if it is not named. */
  page: PDFDict | undefined
  mcid?: number
  /** An annotation (OBJR, ISO 32000-1, 14.7.4.3). */
  object?: PDFDict
}

/** An element of the structure tree (ISO 32000-1, 14.7.2). */
export interface StructureElement {
  dict: PDFDict
  ref: PDFRef | undefined
  /** As it is written. */
  type: string
  /** After the role map. */
  role: string
  parent: StructureElement | undefined
  children: (StructureElement | StructureContent)[]
}

export interface StructureTree {
  root: PDFDict
  /** In the order of the document: an element comes before its children. */
  elements: StructureElement[]
}

const maxElements = 2_000_000

/** Undefined if the document has no structure tree. Throws if an element is its own ancestor. */
export function readStructure(document: PDFDocument): StructureTree | undefined {
  const root = dictAt(document.catalog, 'StructTreeRoot')
  if (root === undefined) return undefined
  const elements: StructureElement[] = []
  const visited = new Set<PDFDict>()
  const pending = kidsOf(root).map(({ value, ref }) => ({
    value,
    ref,
    parent: undefined as StructureElement | undefined,
  }))
  pending.reverse()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, ref, parent } = next
    const page = dictAt(parent?.dict, 'Pg')
    if (value instanceof PDFNumber) {
      parent?.children.push({ page, mcid: value.asNumber() })
      continue
    }
    const dict = asDict(value)
    if (dict === undefined) continue
    const own = dictAt(dict, 'Pg') ?? page
    const mcid = numberAt(dict, 'MCID')
    const object = dictAt(dict, 'Obj')
    if (nameAt(dict, 'S') === undefined && mcid !== undefined) parent?.children.push({ page: own, mcid })
    else if (nameAt(dict, 'S') === undefined)
      parent?.children.push({ page: own, ...(object === undefined ? {} : { object }) })
    else {
      if (visited.has(dict) || visited.size >= maxElements) throw new Error('the structure tree has a cycle')
      visited.add(dict)
      const type = nameAt(dict, 'S') ?? ''
      const element: StructureElement = { dict, ref, type, role: roleOf(root, type), parent, children: [] }
      elements.push(element)
      parent?.children.push(element)
      pending.push(
        ...kidsOf(dict)
          .map((kid) => ({ ...kid, parent: element }))
          .reverse(),
      )
    }
  }
  return { root, elements }
}

export function isElement(child: StructureElement | StructureContent): child is StructureElement {
  return 'role' in child
}

/** The standard type that a type is mapped to, directly or in several steps. The type itself if it is not mapped. */
function roleOf(root: PDFDict, type: string): string {
  const map = dictAt(root, 'RoleMap')
  let role = type
  for (let steps = 0; steps < 16 && !standardTypes.has(role); steps++) {
    const mapped = nameAt(map, role)
    if (mapped === undefined) return role
    role = mapped
  }
  return role
}

/** The entry `K`: nothing, one kid, or an array of kids. */
export function kidsOf(dict: PDFDict): { value: PDFObject | undefined; ref: PDFRef | undefined; raw: PDFObject }[] {
  const kids = at(dict, 'K')
  if (kids instanceof PDFArray) {
    return kids.asArray().map((raw, index) => ({ value: kids.lookup(index), ref: asRef(raw), raw }))
  }
  const raw = [...dict.entries()].find(([key]) => key.decodeText() === 'K')?.[1]
  return kids === undefined || raw === undefined ? [] : [{ value: kids, ref: asRef(raw), raw }]
}

const asRef = (raw: PDFObject) => (raw instanceof PDFRef ? raw : undefined)

/** The standard structure types of ISO 32000-1, 14.8.4. */
export const standardTypes: ReadonlySet<string> = new Set([
  ...[
    'Document',
    'Part',
    'Art',
    'Sect',
    'Div',
    'BlockQuote',
    'Caption',
    'TOC',
    'TOCI',
    'Index',
    'NonStruct',
    'Private',
  ],
  ...['P', 'H', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'L', 'LI', 'Lbl', 'LBody'],
  ...['Table', 'TR', 'TH', 'TD', 'THead', 'TBody', 'TFoot'],
  ...['Span', 'Quote', 'Note', 'Reference', 'BibEntry', 'Code', 'Link', 'Annot'],
  ...['Ruby', 'RB', 'RT', 'RP', 'Warichu', 'WT', 'WP', 'Figure', 'Formula', 'Form'],
])
