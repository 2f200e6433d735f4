import { createHash } from 'node:crypto'
import { pageObjects } from './destination-pages.ts'
import { withEntries } from './incremental-update.ts'
import { broken, type PdfDictionary, readDictionary, reference } from './pdf-dictionary.ts'
import { type ObjectSource, type PdfObjects, readObjects } from './pdf-objects.ts'

/** A PDF printed by Chromium. */
export interface PdfPart {
  pdf: Uint8Array
  /** The wanted pages, counted from 1, in their order. */
  pages: readonly number[]
}

/**
 * Joins the wanted pages of several PDFs. Only objects that these pages use are copied, and equal objects once.
 * `behind` has as many pages, which are drawn behind the others. The metadata is that of the first part. Named
 * destinations, outlines and tags are dropped. Throws an Error for a PDF with another structure.
 */
export function joinPdfs(parts: readonly PdfPart[], behind?: PdfPart): Uint8Array {
  const [first] = parts
  if (!first) return broken('there is no part')
  const writer = new PdfWriter()
  const backgrounds = behind && pagesOf(behind, writer)
  const root = writer.reserve()
  const nodes = parts.map((part) => {
    const node = writer.reserve()
    const kids = Array.from(pagesOf(part, writer), (page) => {
      const background = backgrounds?.next().value
      const entries = background ? withBackground(page, background, writer) : page
      const number = writer.reserve()
      writer.put(number, { text: writeDictionary({ ...entries, Parent: `${node} 0 R` }) })
      return number
    })
    const entries = { Type: '/Pages', Parent: `${root} 0 R`, Count: kids.length, Kids: referencesTo(kids) }
    writer.put(node, { text: writeDictionary(entries) })
    return { node, count: kids.length }
  })
  const count = nodes.reduce((sum, node) => sum + node.count, 0)
  const kids = referencesTo(nodes.map(({ node }) => node))
  writer.put(root, { text: writeDictionary({ Type: '/Pages', Count: count, Kids: kids }) })
  const objects = readObjects(first.pdf)
  const copy = copying(objects, writer)
  return writer.end({
    Root: writer.add({ text: writeDictionary({ Type: '/Catalog', Pages: `${root} 0 R` }) }),
    Info: copy(reference(objects.trailer, 'Info')),
  })
}

const none = new Uint8Array()

type Entries = Record<string, string | number>

const writeDictionary = (entries: Entries) =>
  `<<${Object.entries(entries)
    .map(([key, value]) => `/${key} ${value}`)
    .join('\n')}>>`

const referencesTo = (numbers: number[]) => `[${numbers.map((number) => `${number} 0 R`).join(' ')}]`

/** The entries of each wanted page without those that belong to the whole file. What they refer to is copied. */
function* pagesOf({ pdf, pages }: PdfPart, writer: PdfWriter): Generator<Entries, undefined> {
  const objects = readObjects(pdf)
  const numbers = pageObjects(objects)
  const copy = copying(objects, writer)
  for (const page of pages) {
    const { entries } = objects.object(numbers[page - 1] ?? broken(`there is no page ${page}`))
    const { Parent: _parent, StructParents: _tags, ...kept } = Object.fromEntries(entries)
    yield mapValues(kept, (value) => withReferences(value, copy))
  }
}

const mapValues = (entries: Record<string, string>, change: (value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, change(value)]))

/** Chromium escapes the parentheses in strings. */
const stringOrReference = /\((?:\\[\s\S]|[^\\)])*\)|(\d+)\s+\d+\s+R\b/g

const withReferences = (text: string, copy: (number: number) => number) =>
  text.replace(stringOrReference, (match, number?: string) =>
    number === undefined ? match : `${copy(Number(number))} 0 R`,
  )

/** Copies an object, and what it refers to, once. Returns its new number. */
function copying({ source }: PdfObjects, writer: PdfWriter): (number: number) => number {
  const copied = new Map<number, number>()
  const opened = new Map<number, number | undefined>()
  return function copy(number: number): number {
    const known = copied.get(number)
    if (known !== undefined) return known
    if (opened.has(number)) {
      // A cycle: it gets its number before its content is known.
      const reserved = opened.get(number) ?? writer.reserve()
      opened.set(number, reserved)
      return reserved
    }
    opened.set(number, undefined)
    const { text, stream } = source(number)
    const object = { text: withReferences(text, copy), stream }
    const reserved = opened.get(number)
    if (reserved !== undefined) writer.put(reserved, object)
    const added = reserved ?? writer.add(object)
    copied.set(number, added)
    opened.delete(number)
    return added
  }
}

/** Draws another page before the content of a page, as a form (ISO 32000-1, 8.10). */
function withBackground(page: Entries, background: Entries, writer: PdfWriter): Entries {
  const drawn = writer.find(Number(/^(\d+) 0 R$/.exec(String(background.Contents))?.[1]))
  const content = Object.fromEntries(dictionaryOf(drawn.text).entries)
  const { MediaBox: BBox = '', Resources: resources = '<<>>' } = background
  const form = writer.add({
    text: writeDictionary({ ...content, Type: '/XObject', Subtype: '/Form', BBox, Resources: resources }),
    stream: drawn.stream,
  })
  const before = writer.add(streamOf(`q /${backgroundName} Do Q\n`))
  const own = dictionaryOf(String(page.Resources ?? '<<>>'))
  const forms = dictionaryOf(own.entries.get('XObject') ?? '<<>>')
  const XObject = withEntries(forms, { [backgroundName]: `${form} 0 R` })
  return { ...page, Resources: withEntries(own, { XObject }), Contents: `[${before} 0 R ${page.Contents}]` }
}

/** Chromium names resources by a letter and a number. */
const backgroundName = 'PlatenBehind'

const dictionaryOf = (text: string): PdfDictionary => readDictionary(Buffer.from(text, 'latin1'), 0)

const streamOf = (content: string): ObjectSource => ({
  text: `<</Length ${content.length}>>`,
  stream: Buffer.from(`\nstream\n${content}\nendstream`, 'latin1'),
})

/** Writes objects with one cross-reference table (ISO 32000-1, 7.5). Equal objects become one. */
class PdfWriter {
  readonly #objects: (ObjectSource | undefined)[] = []
  readonly #known = new Map<string, number>()

  /** The number of an object that follows. */
  reserve(): number {
    return this.#objects.push(undefined)
  }

  put(number: number, { text, stream = none }: { text: string; stream?: Uint8Array }): void {
    this.#objects[number - 1] = { text, stream }
  }

  add(object: { text: string; stream?: Uint8Array }): number {
    const hash = createHash('sha1')
      .update(object.text, 'latin1')
      .update(object.stream ?? none)
    const key = hash.digest('base64')
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const number = this.reserve()
    this.put(number, object)
    this.#known.set(key, number)
    return number
  }

  find(number: number): ObjectSource {
    return this.#objects[number - 1] ?? broken(`object ${number} was not copied`)
  }

  end({ Root, Info }: Record<'Root' | 'Info', number>): Uint8Array {
    const chunks: Uint8Array[] = [Buffer.from('%PDF-1.4\n%\xd3\xeb\xe9\xe1\n', 'latin1')]
    let at = chunks[0]?.byteLength ?? 0
    const write = (chunk: Uint8Array) => {
      chunks.push(chunk)
      at += chunk.byteLength
    }
    const entries = this.#objects.map((object, index) => {
      const { text, stream } = object ?? broken(`object ${index + 1} was not written`)
      const start = at
      write(Buffer.from(`${index + 1} 0 obj\n${text}`, 'latin1'))
      write(stream)
      write(Buffer.from('\nendobj\n'))
      return `${String(start).padStart(10, '0')} 00000 n \n`
    })
    const trailer = { Size: entries.length + 1, Root: `${Root} 0 R`, Info: `${Info} 0 R` }
    const tableAt = at
    write(Buffer.from(`xref\n0 ${entries.length + 1}\n0000000000 65535 f \n`))
    write(Buffer.from(entries.join('')))
    write(Buffer.from(`trailer\n${writeDictionary(trailer)}\nstartxref\n${tableAt}\n%%EOF\n`))
    return Buffer.concat(chunks)
  }
}
