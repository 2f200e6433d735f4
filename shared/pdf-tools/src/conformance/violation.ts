/** A rule of a standard that a PDF breaks. Numbers of tests are those of veraPDF's validation profiles. */
export interface Violation {
  /** For example `ISO 14289-1:2014, 7.3, test 1`. */
  rule: string
  /** What is wrong, and what to change in the document. */
  message: string
}

export const pdfA1 = 'ISO 19005-1:2005'
export const pdfA2 = 'ISO 19005-2:2011'
export const pdfA3 = 'ISO 19005-3:2012'
export const pdfUa1 = 'ISO 14289-1:2014'

/** Collects violations. Of one rule with one message there is one, however often it is broken. */
export class Violations {
  readonly #standard: string
  readonly #numbers: Readonly<Record<string, string>>
  readonly #found = new Map<string, Violation>()

  /** `numbers`: those that this standard has for the rules of the one that the numbers are of. */
  constructor(standard: string, numbers: Readonly<Record<string, string>> = {}) {
    this.#standard = standard
    this.#numbers = numbers
  }

  add(clause: string, test: number, message: string): void {
    const number = `${clause}, test ${test}`
    const rule = `${this.#standard}, ${this.#numbers[number] ?? number}`
    this.#found.set(`${rule}: ${message}`, { rule, message })
  }

  get list(): Violation[] {
    return [...this.#found.values()]
  }
}
