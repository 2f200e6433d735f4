import { PDFArray, type PDFContext, PDFDict, PDFNumber, type PDFObject, type PDFRef } from '@cantoo/pdf-lib'
import { arrayIn, byteString, bytesOf, isString, itemsOf, name, resolved } from './entries.ts'

// Name trees and number trees (ISO 32000-2, 7.9.6 and 7.9.7).

/** The values by the bytes of their names. Of equal names the first is kept, as viewers do. */
export function readNameTree(context: PDFContext, root: PDFObject | undefined): Map<string, PDFObject> {
  const found = new Map<string, PDFObject>()
  for (const [key, value] of pairs(context, root, 'Names')) {
    if (isString(key) && !found.has(bytesOf(key))) found.set(bytesOf(key), value)
  }
  return found
}

export function readNumberTree(context: PDFContext, root: PDFObject | undefined): Map<number, PDFObject> {
  const found = new Map<number, PDFObject>()
  for (const [key, value] of pairs(context, root, 'Nums')) {
    if (key instanceof PDFNumber && !found.has(key.asNumber())) found.set(key.asNumber(), value)
  }
  return found
}

/** Nodes that occur twice are read once, so that a circle ends. */
function* pairs(context: PDFContext, root: PDFObject | undefined, key: string): Generator<[PDFObject, PDFObject]> {
  const seen = new Set<PDFObject>()
  const open = [root]
  while (open.length > 0) {
    const node = resolved(context, open.pop())
    if (!(node instanceof PDFDict) || seen.has(node)) continue
    seen.add(node)
    const items = itemsOf(arrayIn(node, key))
    for (let at = 0; at + 1 < items.length; at += 2) {
      const value = items[at + 1]
      const itsKey = resolved(context, items[at])
      if (itsKey && value) yield [itsKey, value]
    }
    open.push(...itemsOf(arrayIn(node, 'Kids')).reverse())
  }
}

/** The root of a new tree; undefined if there is nothing in it. */
export function writeNameTree(context: PDFContext, values: ReadonlyMap<string, PDFObject>): PDFRef | undefined {
  const sorted = [...values].sort(([a], [b]) => (a < b ? -1 : 1))
  return writeTree(
    context,
    'Names',
    sorted.map(([key, value]) => [byteString(key), value]),
  )
}

export function writeNumberTree(context: PDFContext, values: ReadonlyMap<number, PDFObject>): PDFRef | undefined {
  const sorted = [...values].sort(([a], [b]) => a - b)
  return writeTree(
    context,
    'Nums',
    sorted.map(([key, value]) => [PDFNumber.of(key), value]),
  )
}

const pairsOfLeaf = 64
const kidsOfNode = 64

function writeTree(context: PDFContext, key: string, sorted: [PDFObject, PDFObject][]): PDFRef | undefined {
  const nodes = chunks(sorted, pairsOfLeaf).map((part) => {
    const limits = [part[0]?.[0], part.at(-1)?.[0]]
    return { dict: context.obj({ [key]: context.obj(part.flat()) }), limits }
  })
  const write = (level: typeof nodes): PDFRef | undefined => {
    const [only] = level
    if (only && level.length === 1) return context.register(only.dict)
    const above = chunks(level, kidsOfNode).map((part) => {
      const kids = part.map(({ dict, limits }) => {
        dict.set(name('Limits'), arrayOf(context, limits))
        return context.register(dict)
      })
      return { dict: context.obj({ Kids: context.obj(kids) }), limits: [part[0]?.limits[0], part.at(-1)?.limits[1]] }
    })
    return above.length === 0 ? undefined : write(above)
  }
  return write(nodes)
}

export function arrayOf(context: PDFContext, items: Iterable<PDFObject | undefined>): PDFArray {
  const array = PDFArray.withContext(context)
  for (const item of items) if (item) array.push(item)
  return array
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}
