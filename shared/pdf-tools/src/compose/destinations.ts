import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRef } from '@cantoo/pdf-lib'
import { byteString, bytesOf, dictIn, isString, name, nameIn, resolved } from '../pdf/entries.ts'
import { readNameTree, writeNameTree } from '../pdf/trees.ts'
import type { Copier } from './copier.ts'

/** The named destinations of a source (ISO 32000-2, 12.3.2.4): by byte strings, and by names as in PDF 1.1. */
export interface NamedDestinations {
  strings: Map<string, PDFObject>
  names: Map<string, PDFObject>
}

export function readDestinations(context: PDFContext, catalog: PDFDict): NamedDestinations {
  const names = dictIn(catalog, 'Names')
  const old = dictIn(catalog, 'Dests')
  return {
    strings: readNameTree(context, names?.get(name('Dests'))),
    names: new Map(old?.entries().map(([key, value]) => [key.decodeText(), value])),
  }
}

/** The page that a destination of the source shows. Undefined for one that names nothing. */
export function pageOf(
  context: PDFContext,
  found: PDFObject | undefined,
  named: NamedDestinations,
): PDFRef | undefined {
  let destination = resolved(context, found)
  if (isString(destination)) destination = resolved(context, named.strings.get(bytesOf(destination)))
  else if (destination instanceof PDFName) destination = resolved(context, named.names.get(destination.decodeText()))
  if (destination instanceof PDFDict) destination = resolved(context, destination.get(name('D')))
  const page = destination instanceof PDFArray ? destination.asArray()[0] : undefined
  return page instanceof PDFRef ? page : undefined
}

/** The destination of a link or of an entry of the outline: its own, or that of an action within the document. */
export function destinationOf(dict: PDFDict): PDFObject | undefined {
  const own = dict.get(name('Dest'))
  if (own) return own
  const action = dictIn(dict, 'A')
  return action && nameIn(action, 'S') === 'GoTo' ? action.get(name('D')) : undefined
}

/** The named destinations of all sources. A name that an earlier source has is changed, with the links to it. */
export class Destinations {
  readonly #strings = new Map<string, PDFObject>()
  readonly #names = new Map<string, PDFObject>()

  /** What the names of a source become, where they are in use. `number`: of the source, from 1. */
  rename(named: NamedDestinations, number: number): NameChanges {
    const changes = (used: ReadonlyMap<string, PDFObject>, own: ReadonlyMap<string, PDFObject>) => {
      const found = [...own.keys()].filter((key) => used.has(key))
      return new Map(found.map((key) => [key, unusedName(key, number, (text) => used.has(text) || own.has(text))]))
    }
    return { strings: changes(this.#strings, named.strings), names: changes(this.#names, named.names) }
  }

  /** Those of pages that are kept. */
  add(
    named: NamedDestinations,
    changes: NameChanges,
    copier: Copier,
    isKept: (destination: PDFObject) => boolean,
  ): void {
    for (const kind of ['strings', 'names'] as const) {
      const all = kind === 'strings' ? this.#strings : this.#names
      for (const [key, destination] of named[kind]) {
        if (isKept(destination)) all.set(changes[kind].get(key) ?? key, copier.copy(destination))
      }
    }
  }

  write(context: PDFContext, catalog: PDFDict, names: PDFDict): void {
    const tree = writeNameTree(context, this.#strings)
    if (tree) names.set(name('Dests'), tree)
    if (this.#names.size > 0) {
      catalog.set(name('Dests'), context.register(context.obj(Object.fromEntries(this.#names))))
    }
  }
}

export interface NameChanges {
  strings: ReadonlyMap<string, string>
  names: ReadonlyMap<string, string>
}

/** Changes the names in a copied dictionary: of a link, an entry of an outline or an action. */
export function renameDestinations(copied: PDFDict, { strings, names }: NameChanges): void {
  if (strings.size === 0 && names.size === 0) return
  for (const key of ['Dest', 'D']) {
    if (key === 'D' && nameIn(copied, 'S') !== 'GoTo') continue
    const value = copied.get(name(key))
    if (isString(value)) {
      const changed = strings.get(bytesOf(value))
      if (changed !== undefined) copied.set(name(key), byteString(changed))
    } else if (value instanceof PDFName) {
      const changed = names.get(value.decodeText())
      if (changed !== undefined) copied.set(name(key), name(changed))
    }
  }
}

export function unusedName(text: string, number: number, isUsed: (text: string) => boolean): string {
  let unused = `${text}.${number}`
  while (isUsed(unused)) unused += `.${number}`
  return unused
}
