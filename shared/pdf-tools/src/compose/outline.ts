import { type PDFContext, PDFDict, type PDFObject, type PDFRef } from '@cantoo/pdf-lib'
import { dictIn, name, numberIn, resolved } from '../pdf/entries.ts'
import type { Copier } from './copier.ts'

/** An entry of the outline of a source (ISO 32000-2, 12.3.3). */
export interface OutlineEntry {
  dict: PDFDict
  isOpen: boolean
  children: OutlineEntry[]
}

const maxDepth = 64

/** Entries that occur twice are read once, so that a circle ends. */
export function readOutline(context: PDFContext, catalog: PDFDict): OutlineEntry[] {
  const seen = new Set<PDFDict>()
  const read = (first: PDFObject | undefined, depth: number): OutlineEntry[] => {
    const entries: OutlineEntry[] = []
    let dict = resolved(context, first)
    while (dict instanceof PDFDict && !seen.has(dict)) {
      seen.add(dict)
      const children = depth < maxDepth ? read(dict.get(name('First')), depth + 1) : []
      entries.push({ dict, isOpen: (numberIn(dict, 'Count') ?? 0) > 0, children })
      dict = resolved(context, dict.get(name('Next')))
    }
    return entries
  }
  return read(dictIn(catalog, 'Outlines')?.get(name('First')), 0)
}

/** An entry of the new outline. */
export interface NewEntry {
  dict: PDFDict
  isOpen: boolean
  children: NewEntry[]
}

const places = ['Parent', 'Prev', 'Next', 'First', 'Last', 'Count']

/** The entries that lead to a kept page, or have children that do. */
export function copyOutline(
  entries: readonly OutlineEntry[],
  copier: Copier,
  keeps: (dict: PDFDict) => 'yes' | 'without destination' | 'no',
): NewEntry[] {
  return entries.flatMap(({ dict, isOpen, children }) => {
    const kept = copyOutline(children, copier, keeps)
    const keep = keeps(dict)
    if (keep === 'no' && kept.length === 0) return []
    const leftOut = keep === 'yes' ? places : [...places, 'Dest', 'A', 'SE']
    return [{ dict: copier.entries(dict, leftOut), isOpen, children: kept }]
  })
}

/** The root of the outline; undefined if it has no entries. */
export function writeOutline(context: PDFContext, entries: readonly NewEntry[]): PDFRef | undefined {
  if (entries.length === 0) return undefined
  const root = context.obj({ Type: 'Outlines' })
  const ref = context.register(root)
  root.set(name('Count'), context.obj(writeChildren(context, { dict: root, ref }, entries)))
  return ref
}

/** Returns how many entries are visible when the parent is open. */
function writeChildren(
  context: PDFContext,
  parent: { dict: PDFDict; ref: PDFRef },
  entries: readonly NewEntry[],
): number {
  const refs = entries.map(({ dict }) => context.register(dict))
  let visible = entries.length
  for (const [index, { dict, isOpen, children }] of entries.entries()) {
    const [ref, previous, next] = [refs[index], refs[index - 1], refs[index + 1]]
    dict.set(name('Parent'), parent.ref)
    if (previous) dict.set(name('Prev'), previous)
    if (next) dict.set(name('Next'), next)
    if (children.length > 0 && ref) {
      const below = writeChildren(context, { dict, ref }, children)
      dict.set(name('Count'), context.obj(isOpen ? below : -below))
      if (isOpen) visible += below
    }
  }
  const [first, last] = [refs[0], refs.at(-1)]
  if (first) parent.dict.set(name('First'), first)
  if (last) parent.dict.set(name('Last'), last)
  return visible
}
