/** How long objects are kept, in days. */
export interface ObjectRetention {
  inputDays: number
  /** 0: PDFs are kept forever. */
  pdfDays: number
}

export const defaultRetention: ObjectRetention = { inputDays: 7, pdfDays: 0 }

const dayMs = 24 * 3_600_000

/** Whether an object of this age is past its retention. The store may not have deleted it yet. */
export function isExpired(ageMs: number, days: number): boolean {
  return days > 0 && ageMs > days * dayMs
}
