import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { Keeping } from '@platen/service-kit/commands/send-render.ts'
import { invalidField } from '../http/errors/field-problems.ts'

/** What the deployment says of inputs that are kept, in days. */
export interface RetainPolicy {
  /** Of requests that do not say it, nor their template. */
  retainInputDays: number
  retainInputMaxDays: number
}

/** What a request says of its input. */
export interface KeepTerms {
  /** The options of the request, without those of its template. Null: they are not known. */
  options: PdfOptions | null | undefined
  /** The days that the request says, or the generation that it repeats, and those that its template says. */
  asked: number | undefined
  ofTemplate: number | undefined
}

/** Throws VALIDATION_ERROR if the deployment keeps no input for that long. */
export function checkRetainInput(asked: number | undefined, { retainInputMaxDays: most }: RetainPolicy): void {
  if (asked !== undefined && asked > most)
    invalidField('retain_input', `must be at most ${most}: RETAIN_INPUT_MAX_DAYS of this deployment`)
}

/** How the input is kept, if the request, its template or the deployment says so. Only what a request asks for itself is required. */
export function keepingOf(
  { options, asked, ofTemplate }: KeepTerms,
  { retainInputDays, retainInputMaxDays }: RetainPolicy,
): Keeping | undefined {
  const days = Math.min(asked ?? ofTemplate ?? retainInputDays, retainInputMaxDays)
  return days === 0 ? undefined : { days, options, isRequired: asked !== undefined }
}
