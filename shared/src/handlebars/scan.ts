import { DomainError } from '../runtime/errors.ts'

const templateComplexity = { mustaches: 5_000, nesting: 100 } as const

interface Scan {
  mustaches: number
  nesting: number
  /** The start of the innermost block that is not closed. */
  unclosedBlock: number | undefined
  /** The start of a comment that is not closed. */
  unclosedComment: number | undefined
}

/**
 * Refuses a template that would take Handlebars minutes to parse (10,000 nested blocks take two), in linear time and
 * without checking its syntax. Throws TEMPLATE_TOO_COMPLEX.
 */
export function checkComplexity(source: string): void {
  const { mustaches, nesting } = scan(source)
  if (mustaches > templateComplexity.mustaches) {
    throw new DomainError(
      'TEMPLATE_TOO_COMPLEX',
      `the template has ${mustaches} mustaches; at most ${templateComplexity.mustaches} are allowed`,
      { details: { mustaches, limit: templateComplexity.mustaches } },
    )
  }
  if (nesting > templateComplexity.nesting) {
    throw new DomainError(
      'TEMPLATE_TOO_COMPLEX',
      `the template nests blocks ${nesting} deep; at most ${templateComplexity.nesting} are allowed`,
      { details: { nesting, limit: templateComplexity.nesting } },
    )
  }
}

/** Counts mustaches and blocks like the lexer of Handlebars 4 (src/handlebars.l). */
export function scan(source: string): Scan {
  const found = { mustaches: 0, nesting: 0 }
  const open: number[] = []
  let unclosedComment: number | undefined
  for (let at = source.indexOf('{{'); at !== -1; at = source.indexOf('{{', at)) {
    // A backslash escapes the mustache; two are an escaped backslash.
    if (source[at - 1] === '\\' && source[at - 2] !== '\\') {
      at += 2
      continue
    }
    if (source.startsWith('{{{{', at)) {
      found.mustaches++
      found.nesting = Math.max(found.nesting, open.length + 1)
      at = endOfRawBlock(source, endOfMustache(source, at + 4))
      continue
    }
    const sigil = skipTilde(source, at + 2)
    if (source[sigil] === '!') {
      const end = endOfComment(source, sigil)
      if (end === undefined) unclosedComment = at
      at = end ?? source.length
      continue
    }
    found.mustaches++
    if (opensBlock(source, sigil)) found.nesting = Math.max(found.nesting, open.push(at))
    if (source[sigil] === '/') open.pop()
    at = endOfMustache(source, sigil)
  }
  return { ...found, unclosedBlock: open.at(-1), unclosedComment }
}

const skipTilde = (source: string, at: number) => (source[at] === '~' ? at + 1 : at)

/** `{{#x`, `{{#>x`, `{{#*x` and `{{^x`; `{{^}}` is an else. */
function opensBlock(source: string, sigil: number): boolean {
  if (source[sigil] === '#') return true
  if (source[sigil] !== '^') return false
  let at = sigil + 1
  while (source[at] === ' ' || source[at] === '\n' || source[at] === '\t' || source[at] === '\r') at++
  return !source.startsWith('}}', skipTilde(source, at))
}

/** Returns the index after `}}`, ignoring those in strings and in [brackets]. */
function endOfMustache(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    const character = source[at]
    if (character === '}' && source[at + 1] === '}') return at + 2
    if (character === '"' || character === "'") at = endOfQuoted(source, at, character)
    else if (character === '[') at = endOfQuoted(source, at, ']')
  }
  return source.length
}

/** The index of the closing mark: the first without a backslash before it, or the last one if all are escaped. */
function endOfQuoted(source: string, from: number, mark: string): number {
  let escaped = source.length
  for (let at = source.indexOf(mark, from + 1); at !== -1; at = source.indexOf(mark, at + 1)) {
    if (source[at - 1] !== '\\') return at
    escaped = at
  }
  return escaped
}

/** Undefined if the comment is not closed. */
function endOfComment(source: string, bang: number): number | undefined {
  if (!source.startsWith('--', bang + 1)) {
    const end = source.indexOf('}}', bang)
    return end === -1 ? undefined : end + 2
  }
  for (let at = source.indexOf('--', bang + 1); at !== -1; at = source.indexOf('--', at + 1)) {
    const end = skipTilde(source, at + 2)
    if (source.startsWith('}}', end)) return end + 2
  }
  return undefined
}

/** The content of a raw block is text up to `{{{{/name}}}}`. Nested raw blocks are counted to find the end. */
function endOfRawBlock(source: string, from: number): number {
  let open = 1
  let at = source.indexOf('{{{{', from)
  for (; at !== -1; at = source.indexOf('{{{{', at)) {
    open += source[at + 4] === '/' ? -1 : 1
    at += 4
    if (open === 0) return after(source, '}}}}', at)
  }
  return source.length
}

function after(source: string, mark: string, from: number): number {
  const at = source.indexOf(mark, from)
  return at === -1 ? source.length : at + mark.length
}
