import { type PdfDictionary, reference } from './pdf-dictionary.ts'
import { type PdfObjects, readObjects } from './pdf-objects.ts'

const maxNodes = 100_000

/**
 * The page of each named destination (ISO 32000-1, 12.3.2.3), counted from 1. Chromium writes one for each element that a link
 * of the document leads to, named like the fragment of the link.
 */
export function destinationPages(pdf: Uint8Array): Map<string, number> {
  const objects = readObjects(pdf)
  const catalogue = objects.object(reference(objects.trailer, 'Root'))
  const found = new Map<string, number>()
  if (!catalogue.entries.has('Dests')) return found
  const numbers = pageNumbers(objects, catalogue)
  for (const [name, destination] of objects.object(reference(catalogue, 'Dests')).entries) {
    const page = numbers.get(Number(/^\[\s*(\d+)\s+\d+\s+R/.exec(destination)?.[1]))
    if (page !== undefined) found.set(decodeName(name), page)
  }
  return found
}

/** The number of each page, by its object. */
function pageNumbers({ object }: PdfObjects, catalogue: PdfDictionary): Map<number, number> {
  const numbers = new Map<number, number>()
  const waiting = [reference(catalogue, 'Pages')]
  for (let visited = 0; waiting.length > 0 && visited < maxNodes; visited++) {
    const number = waiting.pop() ?? 0
    const { entries } = object(number)
    const kids = entries.get('Kids')
    if (kids === undefined) numbers.set(number, numbers.size + 1)
    else waiting.push(...Array.from(kids.matchAll(/(\d+)\s+\d+\s+R/g), ([, kid]) => Number(kid)).reverse())
  }
  return numbers
}

/** ISO 32000-1, 7.3.5. */
function decodeName(name: string): string {
  const bytes = name.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
