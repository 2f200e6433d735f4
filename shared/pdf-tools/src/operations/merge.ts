import type { MergeOperation } from '@platen/domain/document/pdf-operation.ts'
import { Composition, isTagged } from '../compose/compose.ts'
import { encryptionLost, openPdf, titleOf } from '../pdf/open-pdf.ts'
import { savePdf } from '../pdf/save-pdf.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import type { PdfFile, PdfSource } from '../task/task.ts'

/** All pages of all sources in one PDF. */
export async function merge(
  sources: readonly PdfSource[],
  { outline = false, titles = [] }: Omit<MergeOperation, 'operation'>,
  maxPages: number,
): Promise<{ files: PdfFile[]; warnings: string[] }> {
  const composition = await Composition.create()
  let count = 0
  const untagged: string[] = []
  let wasEncrypted = false
  for (const [index, source] of sources.entries()) {
    const pdf = await openPdf({ name: `source ${index + 1}`, ...source }, maxPages)
    count += pdf.pages.length
    if (count > maxPages) refuse('too-many-pages', `The PDFs have more than ${maxPages} pages together`)
    const title = titles[index] ?? titleOf(pdf) ?? source.name ?? `Document ${index + 1}`
    composition.add({ pdf, pages: pdf.pages.map((_, page) => page + 1), title: outline ? title : undefined })
    wasEncrypted ||= pdf.wasEncrypted
    if (!isTagged(pdf)) untagged.push(source.name ?? `source ${index + 1}`)
  }
  const { document, warnings } = composition.finish()
  if (untagged.length > 0 && untagged.length < sources.length) {
    warnings.push(`Without tags, so that the merged PDF is not marked as tagged: ${untagged.slice(0, 10).join(', ')}`)
  }
  if (wasEncrypted) warnings.push(encryptionLost)
  const bytes = await savePdf(document.context)
  return { files: [{ bytes, mediaType: 'application/pdf', pages: count }], warnings }
}
