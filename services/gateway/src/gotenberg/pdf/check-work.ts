import { refuse } from '../answers/refused.ts'
import type { FormFile } from '../form/form.ts'
import type { PdfWork } from './pdf-fields.ts'

const attachable = ['PDF/A-3a', 'PDF/A-3b', 'PDF/A-3u']

/** Answers 400 for combinations that exclude each other. */
export function checkWork({ formats, encrypt, embeds = [] }: PdfWork, { isRestricted = false } = {}): void {
  const pdfA = formats?.pdfA ?? ''
  if (pdfA !== '' && encrypt !== undefined && encrypt.userPassword !== '') {
    refuse(400, 'Invalid form data: PDF/A format is incompatible with encryption')
  }
  if (pdfA !== '' && embeds.length > 0 && !attachable.includes(pdfA)) {
    const reason = 'does not support embedded files; only PDF/A-3 variants allow attachments'
    refuse(400, `Invalid form data: PDF format '${pdfA}' ${reason}`)
  }
  if (isRestricted && encrypt === undefined) {
    refuse(400, "Invalid form data: permission restrictions require a 'userPassword' or 'ownerPassword'")
  }
}

/** Answers 400 for an invoice without its level, and the other way round. */
export function checkFacturX(
  given: { level: string; xml: FormFile | undefined } | undefined,
  { formats }: PdfWork,
): PdfWork['facturX'] {
  if (given === undefined) return undefined
  const { level, xml } = given
  if (level === '') {
    refuse(400, "Invalid form data: 'facturxConformanceLevel' is required when 'facturxXml' is provided")
  }
  if (xml === undefined) {
    return refuse(400, "Invalid form data: 'facturxXml' file is required when 'facturxConformanceLevel' is set")
  }
  const pdfA = formats?.pdfA ?? ''
  if (pdfA !== '' && !attachable.includes(pdfA)) {
    refuse(400, `Invalid form data: Factur-X requires a PDF/A-3 variant (${attachable.join(', ')}), got '${pdfA}'`)
  }
  return { level, xml }
}
