import Handlebars from 'handlebars'
import { DomainError } from '../runtime/errors.ts'
import { scan } from './scan.ts'

/** The error facts of Handlebars' generated parser (jison). */
interface Unexpected {
  text: string
  token: string | null
  loc?: { last_line: number; last_column: number }
  expected?: string[]
}

class UnexpectedToken extends Error {
  readonly unexpected: Unexpected

  constructor(unexpected: Unexpected) {
    super('unexpected token')
    this.unexpected = unexpected
  }
}

// The parser's own error is a multi-line text. Overriding parseError is the only way to the facts.
const parser = (Handlebars as unknown as { Parser: { parseError(message: string, facts: Unexpected): never } }).Parser
parser.parseError = (_, facts) => {
  throw new UnexpectedToken(facts)
}

/** Counted from 1. */
interface Place {
  line: number
  column: number
}

/** Throws TEMPLATE_SYNTAX_ERROR with `{source, line, column}`. */
export function parseTemplate(source: string, name: string): hbs.AST.Program {
  try {
    return Handlebars.parse(source)
  } catch (err) {
    if (err instanceof UnexpectedToken) throw explain(err.unexpected, source, name)
    if (err instanceof Handlebars.Exception && typeof err.lineNumber === 'number') {
      const problem = err.message.replace(/ - \d+:\d+$/, '')
      throw syntaxError(name, { line: err.lineNumber, column: Number(err.column) + 1 }, problem)
    }
    throw err
  }
}

function explain({ text, token, loc, expected = [] }: Unexpected, source: string, name: string): DomainError {
  const at = { line: loc?.last_line ?? 1, column: (loc?.last_column ?? 0) + 1 }
  if (token === 'EOF') {
    const { unclosedAt } = scan(source)
    if (expected.includes("'OPEN_ENDBLOCK'") && unclosedAt !== undefined) {
      const opening = source.slice(unclosedAt, unclosedAt + 40).split('}}', 1)[0]
      return syntaxError(name, placeOf(source, unclosedAt), `${opening}}} is not closed`)
    }
    return syntaxError(name, at, 'the template ends within a mustache')
  }
  // The parser stops without a text at a NUL.
  const found = text.trim().slice(0, 40) || (source.split('\n')[at.line - 1]?.[at.column - 1] ?? '')
  const outside = token === 'OPEN_ENDBLOCK' || token === 'INVERSE' ? ' without an open block' : ''
  const hint = expected.includes("'ID'") ? ', expected a name or a value' : ''
  return syntaxError(name, at, `unexpected ${readable(found)}${outside || hint}`)
}

/** Control characters as escapes, so that the message shows them. */
function readable(text: string): string {
  return text.replace(/\p{Cc}/gu, (char) => JSON.stringify(char).slice(1, -1))
}

function syntaxError(name: string, { line, column }: Place, problem: string): DomainError {
  return new DomainError('TEMPLATE_SYNTAX_ERROR', `${name}, line ${line}, column ${column}: ${problem}`, {
    details: { source: name, line, column },
  })
}

function placeOf(source: string, at: number): Place {
  const before = source.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
