import type { AppendedPdf } from '@platen/domain/document/output-options.ts'
import { Composition } from '../compose/compose.ts'
import { fileNamed } from '../pdf/inputs.ts'
import { encryptionLost, type OpenPdf, openPdf } from '../pdf/open-pdf.ts'
import { savePdf } from '../pdf/save-pdf.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import type { PdfFile } from '../task/task.ts'

/** The pages of other PDFs after those of this one, with their outlines and tags. */
export async function append(
  pdf: OpenPdf,
  appended: readonly AppendedPdf[],
  files: Readonly<Record<string, Uint8Array>>,
  maxPages: number,
): Promise<{ file: PdfFile; warnings: string[] }> {
  const composition = await Composition.create()
  let count = 0
  const add = (part: OpenPdf) => {
    count += part.pages.length
    if (count > maxPages) refuse('too-many-pages', `The PDF has more than ${maxPages} pages with those appended`)
    composition.add({ pdf: part, pages: part.pages.map((_, index) => index + 1) })
  }
  add(pdf)
  for (const { asset } of appended) add(await openPdf({ bytes: fileNamed(files, asset), name: asset }, maxPages))
  const { document, warnings } = composition.finish()
  const bytes = await savePdf(document.context)
  if (pdf.wasEncrypted) warnings.push(encryptionLost)
  return { file: { bytes, mediaType: 'application/pdf', pages: count }, warnings }
}
