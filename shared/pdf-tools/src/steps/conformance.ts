import type { ConformanceStep } from '@platen/domain/document/output-options.ts'
import { conform } from '../conformance/conform.ts'
import type { Violation } from '../conformance/violation.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import { refuse } from '../task/pdf-tool-failed.ts'

/** Throws PdfToolFailed with the rules that the PDF breaks: no PDF is labelled with a standard that it does not follow. */
export function makeConforming({ document }: OpenPdf, step: ConformanceStep): void {
  refuseViolations(conform(document, step))
}

const maxRules = 8

export function refuseViolations(violations: readonly Violation[]): void {
  if (violations.length === 0) return
  const named = violations.slice(0, maxRules).map(({ rule, message }) => `${message} (${rule})`)
  const rest = violations.length - named.length
  refuse('invalid', `The PDF does not conform: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`)
}
