import { defined } from '@platen/foundation/json/defined.ts'
import { DomainError, type TemplatingErrorCode } from '../errors/errors.ts'

/** Lines are counted from 1 and columns from 0, as Handlebars does. */
export interface Position {
  line: number
  column: number
}

const maxExcerpt = 120

/** A call of a helper that failed. */
interface FailedCall {
  helper: string
  end: Position
  /** The index or the key of the item, if the call is in a loop. */
  item: number | string | undefined
}

/** The circumstances of a problem while a template runs. */
interface Circumstances {
  call?: FailedCall
  /** The path that the data does not have. */
  path?: string
  /** The partial that contains the problem. */
  partial?: string | undefined
}

/** The name of a partial's source in messages. */
export const partialSource = (name: string) => `partial "${name}"`

/** A problem at a position in the source of a template. Clients get it as the error that `inSource` returns. */
export class TemplateProblem extends Error {
  readonly code: TemplatingErrorCode
  readonly #start: Position
  readonly #circumstances: Circumstances

  constructor(code: TemplatingErrorCode, problem: string, start: Position, circumstances: Circumstances = {}) {
    super(problem)
    this.code = code
    this.#start = start
    this.#circumstances = circumstances
  }

  /** The partial whose source has the problem, if a source of its own is not known where it is thrown. */
  get partial(): string | undefined {
    return this.#circumstances.partial
  }

  /** `name` is the source's name in messages. `details` has the line and column, counted from 1, and an excerpt. */
  inSource(source: string, name: string): DomainError {
    const { line } = this.#start
    const column = this.#start.column + 1
    const details = { source: name, line, column, excerpt: excerptOf(source, this.#start) }
    const { call, path } = this.#circumstances
    const expression = call && expressionOf(source, this.#start, call.end)
    const where = call ? `, in ${expression}${itemOf(call.item)}` : ''
    return new DomainError(this.code, `${name}, line ${line}, column ${column}: ${this.message}${where}`, {
      details: {
        ...details,
        ...defined({ path }),
        ...(call && { helper: call.helper, expression }),
      },
      cause: this,
    })
  }
}

/** The call as it is written. Of a block only its opening tag. */
function expressionOf(source: string, start: Position, end: Position): string {
  const text = source.slice(offsetOf(source, start), offsetOf(source, end))
  const tag = text.startsWith('{{') ? text.slice(0, text.indexOf('}}') + 2) : text
  return tag.length > maxExcerpt ? `${tag.slice(0, maxExcerpt)}…` : tag
}

function itemOf(item: number | string | undefined): string {
  if (item === undefined) return ''
  return typeof item === 'number' ? ` at @index ${item}` : ` at @key ${item}`
}

/** The line at a position. Of a long line only the part around the position. */
function excerptOf(source: string, { line, column }: Position): string {
  const text = source.split('\n')[line - 1] ?? ''
  if (text.trim().length <= maxExcerpt) return text.trim()
  const from = Math.max(0, column - maxExcerpt / 2)
  return `${from > 0 ? '…' : ''}${text.slice(from, from + maxExcerpt).trim()}${from + maxExcerpt < text.length ? '…' : ''}`
}

export function offsetOf(source: string, { line, column }: Position): number {
  let start = 0
  for (let number = 1; number < line; number++) start = source.indexOf('\n', start) + 1
  return start + column
}

export function positionOf(source: string, offset: number): Position {
  const before = source.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length }
}

/** The problem at a call that closes a circle of partials. `chain`: the partials whose calls lead to it, in their order. */
export function circleOfPartials({ name, ...start }: Position & { name: string }, chain: readonly string[]) {
  const circle = [...chain.slice(chain.indexOf(name)), name].join(' → ')
  return new TemplateProblem('TEMPLATE_RENDER_ERROR', `the partial "${name}" calls itself: ${circle}`, start)
}

/** The problem at a call of a partial that does not exist. `partial`: the one that calls it. */
export function noSuchPartial({ name, ...start }: Position & { name: string }, partial?: string): TemplateProblem {
  const problem = `there is no partial "${name}"; create it, or define it with {{#*inline "${name}"}} in the same template`
  return new TemplateProblem('TEMPLATE_RENDER_ERROR', problem, start, { partial })
}
