import { createHash } from 'node:crypto'
import { type PDFDict, PDFDocument, PDFHexString, PDFNull, type PDFObject, PDFRef } from '@cantoo/pdf-lib'
import { claimLost, hasClaims } from '../conformance/drop-claims.ts'
import { signaturesLost } from '../pdf/drop-signatures.ts'
import {
  arrayIn,
  asDict,
  byteString,
  dictIn,
  isTrue,
  itemsOf,
  name,
  nameIn,
  resolved,
  textString,
} from '../pdf/entries.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import { boxOf, type PdfPage } from '../pdf/read-pages.ts'
import { arrayOf } from '../pdf/trees.ts'
import { writeXmp } from '../pdf/xmp.ts'
import { Copier, type CopyTarget } from './copier.ts'
import {
  Destinations,
  destinationOf,
  type NameChanges,
  type NamedDestinations,
  pageOf,
  readDestinations,
  renameDestinations,
} from './destinations.ts'
import { EmbeddedFiles } from './embedded-files.ts'
import { adaptField, Forms, readForm } from './forms.ts'
import { Layers } from './layers.ts'
import { copyOutline, type NewEntry, readOutline, writeOutline } from './outline.ts'
import { PageLabels } from './page-labels.ts'
import { type LinkedSource, SourceLinks } from './source-links.ts'
import { prefixHeaders, readStructure, Structure, shiftKeys, type TagChanges } from './structure.ts'

/** Pages of a source. */
export interface Part {
  pdf: OpenPdf
  /** From 1, ascending. */
  pages: readonly number[]
  /** The text of its own entry in the outline, with those of the source below; undefined for no entry. */
  title?: string | undefined
}

const noChanges: TagChanges = { idPrefix: '', roles: new Map(), classes: new Map() }

/**
 * Makes a PDF of pages of others: with tags, outlines, links, named destinations, form fields, page labels, layers and
 * files, and with the metadata of the first. Links to `source:2` lead to the second source. Equal fonts, pictures and content are stored once. What leads to a page that
 * is left out is left out, and so are scripts, actions at opening, XFA forms and signatures.
 */
export class Composition {
  readonly #document: PDFDocument
  readonly #target: CopyTarget
  readonly #destinations = new Destinations()
  readonly #structure: Structure
  readonly #forms: Forms
  readonly #labels: PageLabels
  readonly #layers: Layers
  readonly #files: EmbeddedFiles
  readonly #sourceLinks = new SourceLinks()
  readonly #outline: NewEntry[] = []
  readonly #root: PDFRef
  readonly #nodes: PDFRef[] = []
  readonly #warnings = new Set<string>()
  readonly #id = createHash('sha256')
  #first: { pdf: OpenPdf; copier: Copier } | undefined
  #pages = 0
  #parts = 0
  #isTagged = true

  static async create(): Promise<Composition> {
    return new Composition(await PDFDocument.create({ updateMetadata: false }))
  }

  private constructor(document: PDFDocument) {
    const { context } = document
    this.#document = document
    this.#target = { context, shared: new Map() }
    this.#structure = new Structure(context)
    this.#forms = new Forms(context)
    this.#labels = new PageLabels(context)
    this.#layers = new Layers(context)
    this.#files = new EmbeddedFiles(context)
    this.#root = context.register(context.obj({}))
  }

  add({ pdf, pages: numbers, title }: Part): void {
    const { context, catalog } = pdf
    const number = ++this.#parts
    const pages = numbers.flatMap((page) => pdf.pages[page - 1] ?? [])
    const isWhole = pages.length === pdf.pages.length
    const named = readDestinations(context, catalog)
    const renamed = this.#destinations.rename(named, number)
    const tree = readStructure(context, catalog)
    const changes = tree ? this.#structure.changes(tree, number) : noChanges
    const shift = tree ? this.#structure.nextKey : undefined
    const copier = new Copier(context, this.#target, (copied) => this.#adapt(copied, renamed, changes, shift))
    this.#first ??= { pdf, copier }
    this.#id.update(context.trailerInfo.ID?.toString() ?? '').update(`${pdf.pages.length}`)

    const kept = new Set(pages.map(({ ref }) => ref))
    for (const { ref } of pdf.pages) copier.map(ref, kept.has(ref) ? this.#target.context.nextRef() : PDFNull)
    const leads = (destination: PDFObject | undefined) => {
      const page = pageOf(context, destination, named)
      return page === undefined ? isWhole : kept.has(page)
    }
    const annotations = isWhole ? undefined : keptAnnotations(pages, leads)
    const isWidgetKept = (ref: PDFRef) => annotations?.has(ref) ?? true
    if (annotations) leaveOutAnnotations(pdf.pages, annotations, copier)

    this.#isTagged &&= isTagged(pdf)
    if (tree)
      this.#structure.add(tree, copier, { isWhole, page: (ref) => kept.has(ref), object: isWidgetKept }, changes)
    const form = readForm(context, catalog)
    if (form) this.#forms.add(form, copier, { isWhole, isWidgetKept })
    this.#addPages(pages, copier)
    this.#destinations.add(named, renamed, copier, leads)
    this.#sourceLinks.addSource(linkedSource(pages, copier, named, renamed))
    this.#labels.add(catalog, numbers, this.#pages, copier)
    this.#layers.add(catalog, copier)
    this.#files.add(catalog, copier, number)
    this.#addOutline(copier, { context, catalog, pages, isWhole, leads, title })
    copier.finish()
    this.#pages += pages.length
    if (copier.isDamaged) this.#warnings.add(`Damaged objects of source ${number} are left out`)
    if (hasScript(catalog)) this.#warnings.add('Scripts and actions at opening are left out')
  }

  /** What is left out of the sources, in sentences. */
  finish(): { document: PDFDocument; warnings: string[] } {
    const { context } = this.#target
    const { catalog } = this.#document
    context.assign(this.#root, context.obj({ Type: 'Pages', Count: this.#pages, Kids: arrayOf(context, this.#nodes) }))
    const old = catalog.get(name('Pages'))
    if (old instanceof PDFRef) context.delete(old)
    catalog.set(name('Pages'), this.#root)
    this.#writeMetadata(catalog)
    const lost = this.#sourceLinks.write()
    if (lost.length > 0)
      this.#warnings.add(
        `Links lead to sources, or to names in them, that do not exist: ${lost.slice(0, 5).join(', ')}`,
      )
    const names = context.obj({})
    this.#destinations.write(context, catalog, names)
    this.#files.write(catalog, names)
    if (names.keys().length > 0) catalog.set(name('Names'), context.register(names))
    this.#structure.write(catalog, this.#isTagged)
    this.#forms.write(catalog)
    this.#labels.write(catalog)
    this.#layers.write(catalog)
    const outline = writeOutline(context, this.#outline)
    if (outline) catalog.set(name('Outlines'), outline)
    if (this.#forms.hadXfa) this.#warnings.add('XFA forms are left out; their fields are kept')
    const id = PDFHexString.of(this.#id.digest('hex').slice(0, 32))
    context.trailerInfo.ID = context.obj([id, id])
    return { document: this.#document, warnings: [...this.#warnings] }
  }

  #adapt(copied: PDFDict, renamed: NameChanges, { idPrefix }: TagChanges, shift: number | undefined): void {
    renameDestinations(copied, renamed)
    this.#sourceLinks.found(copied)
    shiftKeys(copied, shift)
    prefixHeaders(copied, idPrefix)
    if (adaptField(copied)) this.#warnings.add(signaturesLost)
  }

  #addPages(pages: readonly PdfPage[], copier: Copier): void {
    const { context } = this.#target
    const node = context.nextRef()
    const kids = pages.map(({ ref, dict, inherited }) => {
      const copied = copier.entries(dict, ['Parent', 'B', 'Resources', 'Annots'])
      for (const [key, value] of Object.entries(inherited)) {
        const isOwn = copied.has(name(key))
        if (!isOwn) copied.set(name(key), key === 'Resources' ? copier.share(value) : copier.copy(value))
      }
      const annotations = itemsOf(arrayIn(dict, 'Annots')).map((annotation) => copier.copy(annotation))
      const left = annotations.filter((annotation) => annotation !== PDFNull)
      if (left.length > 0) copied.set(name('Annots'), arrayOf(context, left))
      copied.set(name('Type'), name('Page'))
      copied.set(name('Parent'), node)
      const to = copier.mapped(ref) ?? context.nextRef()
      context.assign(to, copied)
      return to
    })
    const entries = { Type: 'Pages', Parent: this.#root, Count: kids.length, Kids: arrayOf(context, kids) }
    context.assign(node, context.obj(entries))
    this.#nodes.push(node)
  }

  #addOutline(copier: Copier, { context, catalog, pages, isWhole, leads, title }: OutlineSource): void {
    const entries = copyOutline(readOutline(context, catalog), copier, (dict) => {
      const destination = destinationOf(dict)
      if (destination === undefined) return isWhole ? 'yes' : dictIn(dict, 'A') ? 'yes' : 'without destination'
      return leads(destination) ? 'yes' : 'no'
    })
    const [first] = pages
    const page = first && copier.mapped(first.ref)
    if (title === undefined || !page) this.#outline.push(...entries)
    else {
      const target = this.#target.context
      const dict = target.obj({ Title: textString(title), Dest: target.obj([page, name('Fit')]) })
      this.#outline.push({ dict, isOpen: true, children: entries })
    }
  }

  /** The first source has the metadata, the language, the ways to show it and the colours of the output. */
  #writeMetadata(catalog: PDFDict): void {
    if (!this.#first) return
    const { pdf, copier } = this.#first
    const { context } = this.#target
    if (hasClaims(pdf.document)) this.#warnings.add(claimLost)
    for (const key of ['Lang', 'ViewerPreferences', 'PageLayout', 'PageMode', 'OutputIntents']) {
      const value = pdf.catalog.get(name(key))
      const copied = value && copier.copy(value)
      if (copied && copied !== PDFNull) catalog.set(name(key), copied)
    }
    const info = asDict(resolved(pdf.context, pdf.context.trailerInfo.Info))
    const copiedInfo = info ? copier.entries(info) : context.obj({})
    copier.finish()
    context.trailerInfo.Info = context.register(copiedInfo)
    if (pdf.catalog.has(name('Metadata'))) writeXmp(catalog, copiedInfo)
  }
}

function linkedSource(
  [first]: readonly PdfPage[],
  copier: Copier,
  named: NamedDestinations,
  renamed: NameChanges,
): LinkedSource | undefined {
  const page = first && copier.mapped(first.ref)
  if (!page) return undefined
  const { y, height } = boxOf(first)
  const destination = (bytes: string) => {
    if (named.names.has(bytes)) return name(renamed.names.get(bytes) ?? bytes)
    return named.strings.has(bytes) ? byteString(renamed.strings.get(bytes) ?? bytes) : undefined
  }
  return { page, top: y + height, destination }
}

/** Whether a reader may rely on the tags (ISO 32000-2, 14.8.1). */
export function isTagged({ catalog }: OpenPdf): boolean {
  const mark = dictIn(catalog, 'MarkInfo')
  return catalog.has(name('StructTreeRoot')) && mark !== undefined && isTrue(mark, 'Marked')
}

interface OutlineSource {
  context: OpenPdf['context']
  catalog: PDFDict
  pages: readonly PdfPage[]
  isWhole: boolean
  leads: (destination: PDFObject | undefined) => boolean
  title: string | undefined
}

/** The annotations of the kept pages, without links to others. */
function keptAnnotations(pages: readonly PdfPage[], leads: (destination: PDFObject) => boolean): Set<PDFObject> {
  const kept = new Set<PDFObject>()
  for (const { dict } of pages) {
    for (const object of itemsOf(arrayIn(dict, 'Annots'))) {
      const annotation = asDict(resolved(dict.context, object))
      const destination = annotation && nameIn(annotation, 'Subtype') === 'Link' ? destinationOf(annotation) : undefined
      if (destination === undefined || leads(destination)) kept.add(object)
    }
  }
  return kept
}

function leaveOutAnnotations(pages: readonly PdfPage[], kept: ReadonlySet<PDFObject>, copier: Copier): void {
  for (const { dict } of pages) {
    for (const object of itemsOf(arrayIn(dict, 'Annots'))) {
      if (object instanceof PDFRef && !kept.has(object)) copier.map(object, PDFNull)
    }
  }
}

function hasScript(catalog: PDFDict): boolean {
  const names = dictIn(catalog, 'Names')
  const opening = dictIn(catalog, 'OpenAction')
  const isAction = opening !== undefined && nameIn(opening, 'S') !== 'GoTo'
  return isAction || catalog.has(name('AA')) || (names?.has(name('JavaScript')) ?? false)
}
