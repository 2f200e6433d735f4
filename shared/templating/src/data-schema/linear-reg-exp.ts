import { RE2JS } from 're2js'

/**
 * A pattern of a schema as a regular expression that takes linear time, for Ajv. Throws for what no such expression can have:
 * lookarounds and references to groups.
 */
export const linearRegExp = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return { test: (text: string) => compiled.matcher(text).find() }
  },
  // Ajv writes it into modules, which Platen does not make.
  { code: 'new RegExp' },
)
