import type { Schemas } from '../../api/client.ts'
import { count, formatNumber, formatPercent } from '../format.ts'

export type ComparedPage = Schemas['ComparedPage']
export type PageSide = Schemas['ComparedPageSide']

/** One of the two documents: that with the earlier pages, or that with the later ones. */
export type Which = 'from' | 'to'
/** What the two documents are called in a sentence: `version 3`. */
export type Names = Readonly<Record<Which, string>>

/** A name at the beginning of a sentence. */
export const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** A page of a comparison. `place` counts from 1 in the order of the documents, and is its place in the address. */
export interface PlacedPage {
  place: number
  page: ComparedPage
}

/** The pages in the order in which they are shown: those that differ first, or as the documents have them. */
export function ordered(pages: readonly ComparedPage[], order: 'changed-first' | 'document'): PlacedPage[] {
  const placed = pages.map((page, index) => ({ place: index + 1, page }))
  if (order === 'document') return placed
  return [...placed.filter(({ page }) => differs(page)), ...placed.filter(({ page }) => !differs(page))]
}

export const differs = ({ status }: ComparedPage): boolean => status !== 'same'

/** The page that differs before or after the one at the place, in the order that is shown. Beyond the last one the first follows. */
export function besideThatDiffers(shown: readonly PlacedPage[], place: number, step: 1 | -1): PlacedPage | undefined {
  const at = shown.findIndex((one) => one.place === place)
  for (let distance = 1; distance <= shown.length; distance++) {
    const found = shown[(at + step * distance + shown.length * 2) % shown.length]
    if (found !== undefined && differs(found.page)) return found
  }
  return undefined
}

/** `3 of 12 pages changed, 1 added`; `All 12 pages are the same`. */
export function figureOf(pages: readonly ComparedPage[], total: number): string {
  const of = (status: ComparedPage['status']) => pages.filter((page) => page.status === status).length
  const [changed, added, removed] = [of('changed'), of('added'), of('removed')]
  if (changed + added + removed === 0)
    return total === 1 ? 'The page is the same' : `All ${formatNumber(total)} pages are the same`
  const parts = [
    changed > 0 && `${formatNumber(changed)} of ${count(total, 'page')} changed`,
    added > 0 && `${changed > 0 ? formatNumber(added) : count(added, 'page')} added`,
    removed > 0 && `${changed + added > 0 ? formatNumber(removed) : count(removed, 'page')} removed`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

/** `Page 3`; `Page 2 → 3` if the documents number it differently. */
export function nameOf({ from, to }: ComparedPage): string {
  if (from !== undefined && to !== undefined && from.page !== to.page) return `Page ${from.page} → ${to.page}`
  return `Page ${to?.page ?? from?.page ?? ''}`
}

/** `changed 0.07%`; `added`. */
export function shortChangeOf({ status, share }: ComparedPage): string {
  return status === 'changed' ? `changed ${formatPercent(share)}` : status
}

/** `changed, 0.07% in 2 places`; `added`. */
export function changeOf({ status, share, boxes }: ComparedPage): string {
  if (status !== 'changed') return status
  return `changed, ${formatPercent(share)} in ${count(boxes.length, 'place')}`
}
