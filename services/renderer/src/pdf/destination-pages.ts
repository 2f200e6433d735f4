import { reference } from './pdf-dictionary.ts'
import { type PdfObjects, readObjects } from './pdf-objects.ts'

const maxNodes = 100_000

export interface Destination {
  /** Counted from 1. */
  page: number
  /** Distance from the bottom of the page, in points. */
  y: number
}

/**
 * Each named destination (ISO 32000-1, 12.3.2.3). Chromium writes one for each element that a link of the document leads to, named
 * like the fragment of the link.
 */
export function destinations(pdf: Uint8Array): Map<string, Destination> {
  const objects = readObjects(pdf)
  const catalogue = objects.object(reference(objects.trailer, 'Root'))
  const found = new Map<string, Destination>()
  if (!catalogue.entries.has('Dests')) return found
  const numbers = new Map(pageObjects(objects).map((number, index) => [number, index + 1]))
  for (const [name, destination] of objects.object(reference(catalogue, 'Dests')).entries) {
    const [, object, y] = /^\[\s*(\d+)\s+\d+\s+R\s+\/XYZ\s+\S+\s+(\S+)/.exec(destination) ?? []
    const page = numbers.get(Number(object))
    if (page !== undefined) found.set(decodeName(name), { page, y: Number(y) })
  }
  return found
}

/** The page of each named destination. */
export const destinationPages = (pdf: Uint8Array): Map<string, number> =>
  new Map([...destinations(pdf)].map(([name, { page }]) => [name, page]))

/** The object numbers of the pages, in their order. */
export function pageObjects({ object, trailer }: PdfObjects): number[] {
  const pages: number[] = []
  const waiting = [reference(object(reference(trailer, 'Root')), 'Pages')]
  for (let visited = 0; waiting.length > 0 && visited < maxNodes; visited++) {
    const number = waiting.pop() ?? 0
    const kids = object(number).entries.get('Kids')
    if (kids === undefined) pages.push(number)
    else waiting.push(...Array.from(kids.matchAll(/(\d+)\s+\d+\s+R/g), ([, kid]) => Number(kid)).reverse())
  }
  return pages
}

/** ISO 32000-1, 7.3.5. */
function decodeName(name: string): string {
  const bytes = name.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
