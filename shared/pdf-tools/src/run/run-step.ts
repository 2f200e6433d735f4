import type { OutputStep } from '@platen/domain/document/output-options.ts'
import { dropClaims } from '../conformance/drop-claims.ts'
import { change, type Outcome } from '../pdf/change-pdf.ts'
import { openPdf } from '../pdf/open-pdf.ts'
import { append } from '../steps/append.ts'
import { attach } from '../steps/attachments.ts'
import { addBackground } from '../steps/background.ts'
import { makeConforming } from '../steps/conformance.ts'
import { addInvoice } from '../steps/e-invoice.ts'
import { setMetadata } from '../steps/metadata.ts'
import { protect } from '../steps/protect.ts'
import { addStamps } from '../steps/stamps.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import type { PdfBounds, PdfFile, PdfTask } from '../task/task.ts'

/** Does a step to each file. Throws PdfToolFailed. */
export async function runStep(
  step: OutputStep,
  files: readonly PdfFile[],
  task: PdfTask,
  bounds: PdfBounds,
): Promise<Outcome> {
  const done: PdfFile[] = []
  const warnings = new Set<string>()
  for (const file of files) {
    const outcome = await stepOf(step, file, task, bounds)
    done.push(...outcome.files)
    for (const warning of outcome.warnings ?? []) warnings.add(warning)
  }
  return { files: done, warnings: [...warnings] }
}

async function stepOf(
  step: OutputStep,
  { bytes }: PdfFile,
  { steps = {}, files, fonts, signer }: PdfTask,
  bounds: PdfBounds,
): Promise<Outcome> {
  const { background, append: appended, stamps, metadata, attachments, protect: protection } = steps
  const { conformance, e_invoice: invoice, sign } = steps
  const { maxPages } = bounds
  if (step === 'append' && appended) {
    const { file, warnings } = await append(await openPdf({ bytes }, maxPages), appended, files, maxPages)
    return { files: [file], warnings }
  }
  if (step === 'sign' && sign) {
    const { addSignature } = await import('../steps/sign.ts')
    return { files: [await addSignature(bytes, sign, { signer, fonts, maxPages })] }
  }
  return change({ bytes }, maxPages, async (pdf) => {
    if (step === 'e_invoice' && invoice) return addInvoice(pdf, invoice, new Date())
    if (step === 'conformance' && conformance) {
      makeConforming(pdf, conformance)
      return []
    }
    const lost = dropClaims(pdf.document, { keepsPdfUa: step === 'protect' })
    if (step === 'background' && background) await addBackground(pdf, background, files, maxPages)
    else if (step === 'stamps' && stamps) await addStamps(pdf, stamps, { files, fonts })
    else if (step === 'metadata' && metadata) setMetadata(pdf, metadata)
    else if (step === 'attachments' && attachments) attach(pdf, attachments, files)
    else if (step === 'protect' && protection) protect(pdf, protection)
    else refuse('unsupported', `There is no step ${step}`)
    // It is claimed again, if it is true.
    return conformance || invoice ? [] : lost
  })
}
