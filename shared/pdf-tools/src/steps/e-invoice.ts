import type { EInvoiceStep } from '@platen/domain/document/output-options.ts'
import { invoiceProblem } from '../e-invoice/check-invoice.ts'
import { embedInvoice } from '../e-invoice/embed-invoice.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import { refuseViolations } from './conformance.ts'

/** Makes a Factur-X of the PDF. Returns what was not checked. Throws PdfToolFailed. */
export async function addInvoice({ document }: OpenPdf, step: EInvoiceStep, at: Date): Promise<string[]> {
  const problem = invoiceProblem(step)
  if (problem !== undefined) refuse('invalid', problem)
  refuseViolations(await embedInvoice(document, step, at))
  return [
    `the XML is a well-formed invoice of the profile ${step.profile}; its schema and business rules were not checked`,
  ]
}
