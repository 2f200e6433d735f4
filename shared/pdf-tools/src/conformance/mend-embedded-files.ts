import { PDFArray, type PDFDict, type PDFDocument, PDFName, type PDFRef } from '@cantoo/pdf-lib'
import { asDict, at, dictAt, has, set } from './pdf-objects.ts'

/** Embedded files: a name, a media type and a relationship, and the document has them as associated files (6.8). */
export function mendEmbeddedFiles(document: PDFDocument): void {
  const { context, catalog } = document
  const files: { dict: PDFDict; ref: PDFRef }[] = []
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    const dict = asDict(object)
    if (dict !== undefined && has(dict, 'EF')) files.push({ dict, ref })
  }
  if (files.length === 0) return
  const existing = at(catalog, 'AF')
  const associated = existing instanceof PDFArray ? existing : (context.obj([]) as PDFArray)
  const known = new Set(associated.asArray().map((_, index) => associated.lookup(index)))
  for (const { dict: file, ref } of files) {
    const name = at(file, 'UF') ?? at(file, 'F')
    if (name !== undefined && !has(file, 'UF')) set(file, 'UF', name)
    if (name !== undefined && !has(file, 'F')) set(file, 'F', name)
    if (!has(file, 'AFRelationship')) set(file, 'AFRelationship', PDFName.of('Unspecified'))
    for (const key of ['F', 'UF']) {
      const stream = dictAt(dictAt(file, 'EF'), key)
      if (stream !== undefined && !has(stream, 'Subtype'))
        set(stream, 'Subtype', PDFName.of('application/octet-stream'))
    }
    if (!known.has(file)) associated.push(ref)
  }
  set(catalog, 'AF', associated)
}
