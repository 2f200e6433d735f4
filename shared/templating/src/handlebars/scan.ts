import { DomainError } from '../errors/errors.ts'

/** Constructs for which Handlebars needs more than linear time, with their limits and descriptions. */
const limits = {
  mustaches: [5_000, (count: number) => `has ${count} mustaches`],
  nesting: [100, (count: number) => `nests blocks ${count} deep`],
  branches: [500, (count: number) => `has a block with ${count} branches ({{else if …}})`],
  path: [100, (count: number) => `has a path with ${count} parts`],
  parentheses: [100, (count: number) => `nests expressions ${count} deep`],
} as const

type Counts = Record<keyof typeof limits, number>

interface Scan extends Counts {
  /** The start of the innermost block that is not closed. */
  unclosedBlock: number | undefined
  /** The start of a comment that is not closed. */
  unclosedComment: number | undefined
  /** The names in `{{> name}}` and `{{#> name}}`, in the order of the source and with repetitions. */
  partials: string[]
}

/**
 * The names of the partials that a source calls; none that are computed. Reads a source that calls none in one search. Of a
 * source with too many mustaches to be filled, only the first ones are read.
 */
export function partialNames(source: string): string[] {
  return callsPartials(source) ? [...new Set(scan(source, limits.mustaches[0]).partials)] : []
}

const callsPartials = (source: string) => /\{\{~?#?>/.test(source)

/**
 * Refuses a template that would take Handlebars minutes to parse (10,000 nested blocks take two), in linear time and
 * without checking its syntax. Throws TEMPLATE_TOO_COMPLEX.
 */
export function checkComplexity(source: string): void {
  const found = scan(source)
  for (const name of Object.keys(limits) as (keyof typeof limits)[]) {
    const [limit, describe] = limits[name]
    const count = found[name]
    if (count <= limit) continue
    const message = `the template ${describe(count)}; at most ${limit} are allowed`
    throw new DomainError('TEMPLATE_TOO_COMPLEX', message, { details: { [name]: count, limit } })
  }
}

/** Counts mustaches and blocks like the lexer of Handlebars 4 (src/handlebars.l). Ends after `maxMustaches`. */
export function scan(source: string, maxMustaches = Number.POSITIVE_INFINITY): Scan {
  const found: Counts = { mustaches: 0, nesting: 0, branches: 0, path: 0, parentheses: 0 }
  const open: { at: number; branches: number }[] = []
  const partials: string[] = []
  let unclosedComment: number | undefined
  for (let at = source.indexOf('{{'); at !== -1 && found.mustaches <= maxMustaches; at = source.indexOf('{{', at)) {
    // A backslash escapes the mustache; two are an escaped backslash.
    if (source[at - 1] === '\\' && source[at - 2] !== '\\') {
      at += 2
      continue
    }
    if (source.startsWith('{{{{', at)) {
      found.mustaches++
      found.nesting = Math.max(found.nesting, open.length + 1)
      at = endOfRawBlock(source, scanMustache(source, at + 4, found))
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
    const partial = partialName(source, sigil)
    if (partial !== undefined) partials.push(partial)
    if (opensBlock(source, sigil)) found.nesting = Math.max(found.nesting, open.push({ at, branches: 1 }))
    const block = open.at(-1)
    if (block && isElse(source, sigil)) found.branches = Math.max(found.branches, ++block.branches)
    if (source[sigil] === '/') open.pop()
    at = scanMustache(source, source[sigil] === '/' ? sigil + 1 : sigil, found)
  }
  return { ...found, unclosedBlock: open.at(-1)?.at, unclosedComment, partials }
}

const skipTilde = (source: string, at: number) => (source[at] === '~' ? at + 1 : at)

/** The name as `{{> name`, `{{> "name"` and `{{> [name]` have it. Undefined for `{{> (lookup …)`. */
function partialName(source: string, sigil: number): string | undefined {
  const arrow = source[sigil] === '#' ? sigil + 1 : sigil
  if (source[arrow] !== '>') return undefined
  nameAt.lastIndex = arrow + 1
  const [, quoted, bracketed, plain] = nameAt.exec(source) ?? []
  return quoted?.slice(1, -1) ?? bracketed ?? plain
}

const nameAt = /\s*(?:("[^"]*"|'[^']*')|\[([^\]]*)\]|([^\s(){}~="'|]+))/y

/** `{{#x`, `{{#>x`, `{{#*x` and `{{^x`; `{{^}}` is an else. */
function opensBlock(source: string, sigil: number): boolean {
  if (source[sigil] === '#') return true
  if (source[sigil] !== '^') return false
  let at = sigil + 1
  while (source[at] === ' ' || source[at] === '\n' || source[at] === '\t' || source[at] === '\r') at++
  return !source.startsWith('}}', skipTilde(source, at))
}

/** `{{else}}` and `{{else if x}}`: a branch is nested in the one before it. */
function isElse(source: string, sigil: number): boolean {
  let at = sigil
  while (source[at] === ' ' || source[at] === '\n' || source[at] === '\t' || source[at] === '\r') at++
  return source.startsWith('else', at)
}

/** Whether the dot is one of `..`. */
const isParent = (source: string, at: number) => source[at - 1] === '.' || source[at + 1] === '.'

/** Counts paths and parentheses. Returns the index after `}}`, ignoring those in strings and in [brackets]. */
function scanMustache(source: string, from: number, found: Counts): number {
  let parts = 1
  let open = 0
  for (let at = from; at < source.length; at++) {
    const character = source[at]
    if (character === '}' && source[at + 1] === '}') return at + 2
    if (character === '"' || character === "'") at = endOfQuoted(source, at, character)
    else if (character === '[') at = endOfQuoted(source, at, ']')
    else if (character === '/' || (character === '.' && !isParent(source, at)))
      found.path = Math.max(found.path, ++parts)
    else if (character === '(') found.parentheses = Math.max(found.parentheses, ++open)
    else if (character === ')') open--
    else if (character === ' ' || character === '\n' || character === '\t' || character === '\r') parts = 1
    if (character === '(' || character === ')' || character === '=') parts = 1
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
