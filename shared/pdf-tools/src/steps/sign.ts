import type { SignStep } from '@platen/domain/document/output-options.ts'
import { openPdf } from '../pdf/open-pdf.ts'
import { prepareSignature } from '../sign/prepare-signature.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import type { PdfFile, PdfTask } from '../task/task.ts'

/**
 * Leaves room for the signature, which is written where the key is: `SigningKeys.complete`. This process reads untrusted PDFs,
 * and never has the key.
 */
export async function addSignature(
  bytes: Uint8Array,
  step: SignStep,
  { signer, fonts, maxPages }: Pick<PdfTask, 'signer' | 'fonts'> & { maxPages: number },
): Promise<PdfFile> {
  if (signer === undefined) refuse('unsupported', 'This deployment has no signing keys')
  const { pages, wasEncrypted } = await openPdf({ bytes }, maxPages)
  if (wasEncrypted) refuse('encrypted', 'The PDF is encrypted, and an encrypted PDF is not signed: unlock it first')
  const prepared = await prepareSignature(bytes, step, { signer, fonts, signedAt: new Date() })
  return { bytes: prepared, mediaType: 'application/pdf', pages: pages.length }
}
