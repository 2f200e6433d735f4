import type { PdfFile, PdfSource } from '../task/task.ts'
import { dropSignatures } from './drop-signatures.ts'
import { encryptionLost, type OpenPdf, openPdf } from './open-pdf.ts'
import { savePdf } from './save-pdf.ts'

/** What an operation or a step makes, and what it left out, in sentences. */
export interface Outcome {
  files: PdfFile[]
  warnings?: readonly string[]
}

/** Opens a PDF, changes it and saves it, without its signatures. The change may return warnings. */
export async function change(
  source: PdfSource,
  maxPages: number,
  make: (pdf: OpenPdf) => Promise<string[]>,
): Promise<Outcome> {
  const pdf = await openPdf(source, maxPages)
  const lost = dropSignatures(pdf)
  const warnings = [...(await make(pdf)), ...lost, ...(pdf.wasEncrypted ? [encryptionLost] : [])]
  const bytes = await savePdf(pdf.context)
  return { files: [{ bytes, mediaType: 'application/pdf', pages: pdf.pages.length }], warnings }
}
