/** How long objects are kept, in days. */
export interface ObjectRetention {
  inputDays: number
  /** 0: PDFs are kept forever. */
  pdfDays: number
}

export const defaultRetention: ObjectRetention = { inputDays: 7, pdfDays: 0 }

/** What no event or command names is removed at this age. */
export const orphanAgeMs = 3_600_000

/** Who names what was written longer ago, because it waited or was suspended, writes it again or fails. */
export const freshMs = orphanAgeMs / 4

export const dayMs = 24 * 3_600_000

/** Whether an object of this age is past its retention. The store may not have deleted it yet. */
export function isExpired(ageMs: number, days: number): boolean {
  return days > 0 && ageMs > days * dayMs
}
