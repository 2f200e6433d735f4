/** A rule of a standard that a PDF breaks. Numbers of tests are those of veraPDF's validation profiles. */
export interface Violation {
  /** For example `ISO 14289-1:2014, 7.3, test 1`. */
  rule: string
  /** What is wrong, and what to change in the document. */
  message: string
}

export const pdfA3 = 'ISO 19005-3:2012'
export const pdfUa1 = 'ISO 14289-1:2014'

/** Collects violations. Of one rule with one message there is one, however often it is broken. */
export class Violations {
  readonly #standard: string
  readonly #found = new Map<string, Violation>()

  constructor(standard: string) {
    this.#standard = standard
  }

  add(clause: string, test: number, message: string): void {
    const rule = `${this.#standard}, ${clause}, test ${test}`
    this.#found.set(`${rule}: ${message}`, { rule, message })
  }

  get list(): Violation[] {
    return [...this.#found.values()]
  }
}
