import type { PDFDict, PDFDocument, PDFRef } from '@cantoo/pdf-lib'
import { ParentTree } from './parent-tree.ts'
import { arrayAt, asDict, at, dictAt, nameAt, set } from './pdf-objects.ts'
import { kidsOf } from './structure-tree.ts'

/**
 * Adds an annotation that belongs to no element to the structure tree, as an element at the end of the document (ISO 32000-1,
 * 14.7.4.3). Does nothing for a document without a structure tree.
 */
export function addAnnotationElement(
  document: PDFDocument,
  { type, dict, ref, page }: { type: 'Link' | 'Form'; dict: PDFDict; ref: PDFRef; page: PDFRef },
  parents?: ParentTree,
): void {
  const { context, catalog } = document
  const root = dictAt(catalog, 'StructTreeRoot')
  const first =
    root === undefined ? undefined : kidsOf(root).find((kid) => nameAt(asDict(kid.value), 'S') !== undefined)
  const top = asDict(first?.value)
  if (root === undefined || top === undefined || first?.ref === undefined || at(root, 'ParentTree') === undefined)
    return
  const content = context.obj({ Type: 'OBJR', Obj: ref, Pg: page })
  const element = context.register(context.obj({ Type: 'StructElem', S: type, P: first.ref, K: [content] }))
  const kids = arrayAt(top, 'K')
  if (kids !== undefined) kids.push(element)
  else set(top, 'K', context.obj([...kidsOf(top).map(({ raw }) => raw), element]))
  ;(parents ?? new ParentTree(document, root)).setElement(dict, element)
}
