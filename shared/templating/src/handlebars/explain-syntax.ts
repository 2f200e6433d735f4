import { scan } from './scan.ts'

/** Details of Handlebars' generated parser (jison) about an unexpected token. */
export interface Unexpected {
  text: string
  token: string | null
  expected: readonly string[]
  /** The end of the token before it. */
  offset: number
}

export interface Explanation {
  offset: number
  problem: string
}

/** The helpers to write instead of the operators of programming languages. */
const operators: Record<string, string> = {
  '=': '(eq a b)',
  '==': '(eq a b)',
  '===': '(eq a b)',
  '!=': '(ne a b)',
  '!==': '(ne a b)',
  '<': '(lt a b)',
  '<=': '(lte a b)',
  '>': '(gt a b)',
  '>=': '(gte a b)',
  '&&': '(and a b)',
  '||': '(or a b)',
  '!': '(not a)',
  '+': '(add a b)',
  '*': '(multiply a b)',
  '/': '(divide a b)',
  '%': '(modulo a b)',
}

/** Says what is wrong with the syntax of a template, and what its author probably meant. */
export function explainSyntax(source: string, { text, token, expected, offset }: Unexpected): Explanation {
  const at = offset + (/^\s*/.exec(source.slice(offset))?.[0].length ?? 0)
  const { unclosedBlock, unclosedComment } = scan(source)
  // The lexer does not say where it stopped in a comment.
  if (unclosedComment !== undefined && (token === null || unclosedComment <= at)) {
    const end = source.startsWith('--', source.indexOf('!', unclosedComment) + 1) ? '--}}' : '}}'
    return { offset: unclosedComment, problem: `the comment is not closed: ${end} is missing` }
  }
  if (token === null) return explainStop(source)
  const isInside = expected.some((name) => name === "'ID'" || name.startsWith("'CLOSE"))
  const opening = startOfMustache(source, at)
  if (isInside && opening !== -1 && !isClosed(source, at)) {
    const [written = '', braces] = /^(\{{2,3})[~#^/>&*]*\s*[^\s<{}]*/.exec(source.slice(opening, opening + 60)) ?? []
    const missing = braces === '{{{' ? '}}}' : '}}'
    return { offset: opening, problem: `${written} is not closed: ${missing} is missing` }
  }
  if (token === 'EOF' && unclosedBlock !== undefined) {
    const [tag] = source.slice(unclosedBlock, unclosedBlock + 40).split('}}', 1)
    return { offset: unclosedBlock, problem: `${tag}}} is not closed` }
  }
  return explainWord(source, at) ?? { offset: at, problem: explainToken(source, at, text, token, expected) }
}

/** The lexer stops, without saying where, at a NUL outside of mustaches and in a raw block that is not closed. */
function explainStop(source: string): Explanation {
  const nul = source.indexOf('\0')
  if (nul !== -1) return { offset: nul, problem: 'unexpected \\u0000: the text of a template must not contain NUL' }
  const offset = Math.max(0, source.lastIndexOf('{{{{'))
  const [, name = ''] = /^\{{4}\s*([^\s}]*)/.exec(source.slice(offset, offset + 60)) ?? []
  return { offset, problem: `the raw block is not closed: {{{{/${name}}}}} is missing` }
}

function startOfMustache(source: string, at: number): number {
  const braces = source.lastIndexOf('{{', at - 1)
  return source[braces - 1] === '{' ? braces - 1 : braces
}

/** Whether a `}}` ends the mustache around `at`, before the next one opens. */
function isClosed(source: string, at: number): boolean {
  const close = source.indexOf('}}', at)
  const open = source.indexOf('{{', at)
  return close !== -1 && (open === -1 || close < open)
}

/** Paths and argument lists in the notation of programming languages. */
function explainWord(source: string, at: number): Explanation | undefined {
  const before = /[^\s{}()|="',]*$/.exec(source.slice(Math.max(0, at - 80), at))?.[0] ?? ''
  const offset = at - before.length
  const rest = source.slice(offset, offset + 160)
  const [index] = /^[^\s{}()|="'[,]+\[(?:"[^"\n]*"|'[^'\n]*'|[^\]\s]*)\][^\s{}()|]*/.exec(rest) ?? []
  if (index) {
    const path = index.replace(/\.?\[["']?(.*?)["']?\]/g, '.[$1]')
    return { offset, problem: `unexpected ${index}: write ${path}` }
  }
  const [called, name] = /^([A-Za-z_]\w*)\([^{}]*/.exec(rest) ?? []
  if (called) {
    const words = called.replace(/[(),]/g, ' ').replace(/\s+/g, ' ').trim()
    const written = /\{\{\S?\s*$/.test(source.slice(0, offset)) ? `{{${words}}}` : `(${words})`
    return { offset, problem: `unexpected ${name}(: helpers are not called like functions, write ${written}` }
  }
  const [word] = /^[^\s{}()|="',]*,/.exec(rest) ?? []
  if (!word) return undefined
  return { offset, problem: `unexpected ${word}: arguments are separated by spaces, without commas` }
}

function explainToken(
  source: string,
  at: number,
  text: string,
  token: string | null,
  expected: readonly string[],
): string {
  if (token === 'OPEN_ENDBLOCK' || token === 'INVERSE') return `unexpected ${text.trim()} without an open block`
  const inside = source.slice(startOfMustache(source, at), at)
  if (text === '}}' && inside.split('(').length > inside.split(')').length) return 'unexpected }}: a ) is missing'
  if (token === 'CLOSE' && expected.includes("'CLOSE_UNESCAPED'")) return 'unexpected }}: {{{ is closed by }}}'

  if (text.startsWith('}}}')) return 'unexpected }}}: it closes {{{, and {{ is closed by }}'
  if (text === '}}' && /\bas\s*\|[^|]*$/.test(inside)) return 'unexpected }}: a | is missing after the names'
  const rest = source.slice(at, at + 80)
  if (/^["']/.test(rest) && token === 'INVALID') return `unexpected ${rest[0]}: the string is not closed`
  const start = at - (/[=!<>&|]*$/.exec(source.slice(Math.max(0, at - 3), at))?.[0].length ?? 0)
  const inWord = /^[\w.$-]+(?=[*+%<>])/.exec(rest)?.[0].length ?? 0
  const [operator = ''] = /^[=!<>&|+*/%]+/.exec(source.slice(start + inWord, start + inWord + 4)) ?? []
  const helper = operators[operator]
  if (helper && text !== '}}') return `unexpected ${operator}: there are no operators, write ${helper}`
  if (operator === '|') return 'unexpected |: there are no filters, write the helper first: {{uppercase name}}'

  const word = /^[^\s{}]+/.exec(rest)?.[0] ?? ''
  const found = (token === 'INVALID' && word) || text.trim() || (source[at] ?? '')
  const hint = expected.includes("'ID'") ? ', expected a name or a value' : ''
  return `unexpected ${readable(found.slice(0, 40))}${hint}`
}

/** Control characters as escapes, so that the message shows them. */
function readable(text: string): string {
  return text.replace(/\p{Cc}/gu, (char) => JSON.stringify(char).slice(1, -1))
}
