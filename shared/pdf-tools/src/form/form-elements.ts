import { PDFDict, PDFRef } from '@cantoo/pdf-lib'
import { readStructure } from '../compose/structure.ts'
import { dictIn, listOf, name, numberIn, resolved, textIn } from '../pdf/entries.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import { arrayOf, readNumberTree } from '../pdf/trees.ts'
import type { InputLink } from './input-links.ts'

/** The language that marks the element of an input; Chromium writes it with `u:` before it. */
const marker = /^(?:u:)?x-input-(\d{1,6})$/

/**
 * The elements of the links become elements `Form` with the widget as their only content (ISO 32000-2, 14.8.4.8.3), below the
 * elements that Chromium has written for the inputs. Those have the drawn boxes, and are no fields any more.
 */
export function tagWidgets(pdf: OpenPdf, links: ReadonlyMap<number, InputLink>): void {
  const { context, catalog } = pdf
  const root = dictIn(catalog, 'StructTreeRoot')
  if (!root) return
  const parents = readNumberTree(context, root.get(name('ParentTree')))
  const places = takePlaces(pdf)
  const moved = new Map<PDFDict, Set<PDFRef>>()
  for (const [index, { dict, page }] of links) {
    page.dict.set(name('Tabs'), name('S'))
    const ref = parents.get(numberIn(dict, 'StructParent') ?? -1)
    const element = resolved(context, ref)
    if (!(ref instanceof PDFRef) || !(element instanceof PDFDict)) continue
    element.set(name('S'), name('Form'))
    const place = places.get(index)
    const parent = dictIn(element, 'P')
    if (!place || !parent) continue
    place.dict.set(name('S'), name('NonStruct'))
    place.dict.delete(name('A'))
    place.dict.set(name('K'), arrayOf(context, [...listOf(context, place.dict.get(name('K'))), ref]))
    element.set(name('P'), place.ref)
    moved.set(parent, (moved.get(parent) ?? new Set()).add(ref))
  }
  for (const [parent, refs] of moved) {
    const kids = listOf(context, parent.get(name('K'))).filter((kid) => !(kid instanceof PDFRef && refs.has(kid)))
    parent.set(name('K'), arrayOf(context, kids))
  }
}

/** The elements of the inputs by their numbers, without their marks. */
function takePlaces({ context, catalog }: OpenPdf): Map<number, { ref: PDFRef; dict: PDFDict }> {
  const places = new Map<number, { ref: PDFRef; dict: PDFDict }>()
  for (const { ref, dict } of readStructure(context, catalog)?.all ?? []) {
    const [, number] = marker.exec(textIn(dict, 'Lang') ?? '') ?? []
    if (number === undefined) continue
    dict.delete(name('Lang'))
    if (ref) places.set(Number(number), { ref, dict })
  }
  return places
}
