import { type PDFDict, type PDFDocument, PDFName, type PDFRawStream, PDFStream } from '@cantoo/pdf-lib'
import { readOperations } from './content-operations.ts'
import { isName } from './content-reader.ts'
import { markArtifacts } from './mark-artifacts.ts'
import { decoded, dictAt, has, nameAt, pageContent, resources, setPageContent } from './pdf-objects.ts'

/** Marks untagged content of all pages, and of the form XObjects that have tagged content of their own, as artifacts. */
export function markPages(document: PDFDocument): void {
  const marked = new Set<PDFStream>()
  for (const page of document.getPages()) {
    const resourcesOf = page.node.Resources()
    const content = markArtifacts(pageContent(page.node), lookupIn(resourcesOf))
    if (content !== undefined) setPageContent(document, page.node, content)
    markForms(document, resourcesOf, marked)
  }
}

function markForms(document: PDFDocument, resourcesOf: PDFDict | undefined, marked: Set<PDFStream>): void {
  for (const { value, ref } of resources(resourcesOf, 'XObject')) {
    if (!(value instanceof PDFStream) || marked.has(value) || !isTagged(value)) continue
    marked.add(value)
    const own = dictAt(value.dict, 'Resources')
    const content = markArtifacts(decoded(value), lookupIn(own))
    if (content !== undefined && ref !== undefined) document.context.assign(ref, withContent(document, value, content))
    markForms(document, own, marked)
  }
}

function lookupIn(resourcesOf: PDFDict | undefined): Parameters<typeof markArtifacts>[1] {
  return {
    isTagged(name) {
      const xobject = dictAt(resourcesOf, 'XObject')?.lookup(PDFName.of(name))
      return xobject instanceof PDFStream && isTagged(xobject)
    },
    hasIdentifier: (name) => has(dictAt(dictAt(resourcesOf, 'Properties'), name), 'MCID'),
  }
}

/** Whether a form XObject, or one in it, has content with a marked-content identifier. */
function isTagged(xobject: PDFStream, depth = 0): boolean {
  if (nameAt(xobject.dict, 'Subtype') !== 'Form' || depth > 16) return false
  const own = dictAt(xobject.dict, 'Resources')
  for (const { operator, operands } of readOperations(decoded(xobject))) {
    const properties = operands[1]
    if (operator === 'BDC' && properties instanceof Map && properties.has('MCID')) return true
    if (operator === 'BDC' && isName(properties) && lookupIn(own).hasIdentifier(properties.name)) return true
  }
  return [...resources(own, 'XObject')].some(
    ({ value }) => value instanceof PDFStream && value !== xobject && isTagged(value, depth + 1),
  )
}

function withContent({ context }: PDFDocument, stream: PDFStream, content: Uint8Array): PDFRawStream {
  const replaced = context.flateStream(content)
  for (const [key, value] of stream.dict.entries()) {
    if (!['Filter', 'DecodeParms', 'Length'].includes(key.decodeText())) replaced.dict.set(key, value)
  }
  return replaced
}
