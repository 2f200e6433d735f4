import type { OutputStep, OutputSteps } from './output-options.ts'

/** Two steps that no PDF can have both, whatever the document is. */
export interface StepConflict {
  step: OutputStep
  other: OutputStep
  /** Which values of the two exclude each other. Default: all. */
  when?: (steps: OutputSteps) => boolean
  reason: string
}

const isPdfA = (...levels: string[]) => {
  return ({ conformance }: OutputSteps) => levels.includes(conformance?.pdf_a ?? '')
}
const isTransparent = ({ stamps = [] }: OutputSteps) => stamps.some(({ opacity = 1 }) => opacity < 1)

/** The only list of what the steps refuse of each other. `step-conflicts.test.ts` of the PDF tools tries all pairs. */
const conflicts: readonly StepConflict[] = [
  { step: 'conformance', other: 'protect', reason: 'PDF/A and PDF/UA allow no encryption' },
  {
    step: 'conformance',
    other: 'stamps',
    when: (steps) => isPdfA('1b')(steps) && isTransparent(steps),
    reason: 'a PDF/A-1 has no transparency, and a stamp has an opacity below 1; use pdf_a 2b or 3b',
  },
  {
    step: 'conformance',
    other: 'attachments',
    when: isPdfA('1b', '2b'),
    reason: 'files may be attached to a PDF/A-3 only; use pdf_a 3b',
  },
  {
    step: 'conformance',
    other: 'sign',
    when: isPdfA('1b'),
    reason: 'a PDF/A-1 is not signed; use pdf_a 2b or 3b',
  },
  { step: 'e_invoice', other: 'protect', reason: 'PDF/A allows no encryption' },
  { step: 'sign', other: 'protect', reason: 'an encrypted PDF is not signed' },
  { step: 'images', other: 'attachments', reason: 'pictures have no attachments' },
  { step: 'images', other: 'conformance', reason: 'pictures are no PDF' },
  { step: 'images', other: 'e_invoice', reason: 'pictures are no PDF' },
  { step: 'images', other: 'protect', reason: 'pictures are not encrypted' },
  { step: 'images', other: 'sign', reason: 'pictures are not signed' },
]

/** What of these steps excludes each other. */
export function conflictsOf(steps: OutputSteps): StepConflict[] {
  return conflicts.filter(
    ({ step, other, when }) => steps[step] !== undefined && steps[other] !== undefined && (when?.(steps) ?? true),
  )
}

/** Steps that a PDF with form fields cannot have, with the reason. */
export const excludedByForms: readonly [step: OutputStep, reason: string][] = [
  ['conformance', 'the fonts of form fields are not embedded, as PDF/A and PDF/UA demand'],
  ['e_invoice', 'the fonts of form fields are not embedded, as PDF/A demands'],
  ['images', 'pictures have no form fields'],
  ['sign', 'who fills in a field changes what was signed; sign the filled PDF with POST /v1/pdf/sign'],
]
