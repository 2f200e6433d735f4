import { RE2JS } from 're2js'

export interface LinearRegExp {
  test(text: string): boolean
  /** A match takes at most this many steps for each character. */
  size: number
}

/**
 * A regular expression of a caller that takes linear time, also as Ajv's engine. Throws for what no such expression can have:
 * lookarounds and references to groups.
 */
export const linearRegExp = Object.assign(
  (pattern: string): LinearRegExp => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return { test: (text) => compiled.test(text), size: compiled.programSize() }
  },
  // Ajv writes it into modules, which Platen does not make.
  { code: 'new RegExp' },
)
