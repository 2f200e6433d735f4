import Big from 'big.js'
import { type HelperCall, isAbsent, numberOf, valueAt, wrong } from './helper.ts'

/** Divisions have so many decimals. */
const decimals = 20
const maxChars = 200
/** More digits than an amount has: an exponent of 1e300 would make each step slow. */
const maxExponent = 60

/** A text of more characters is read as a number is: a multiplication takes time quadratic to its digits. */
const decimalText = /^(?=.{1,80}$)-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const Decimal = Big()
Decimal.DP = decimals
Decimal.RM = Decimal.roundHalfUp

type Evaluate = (item: unknown, call: HelperCall) => Big | undefined

/** Reads the value of an item: that at a path, or the result of an expression such as `quantity * price`. */
export type ReadItem = (item: unknown, call: HelperCall) => unknown

const known = new Map<string, ReadItem>()
const maxKnown = 500

/** `text`: a path, or an expression of paths and numbers with + - * / and parentheses. '' is the item itself. */
export function itemReader(call: HelperCall, text: string): ReadItem {
  // A path may come from the data, and be long: what is kept must be small.
  if (text.length > maxChars) return isExpression(text) ? refuseLength(call) : pathReader(text)
  const cached = known.get(text)
  if (cached) return cached
  const read = isExpression(text) ? expressionReader(text) : pathReader(text)
  if (known.size >= maxKnown) known.clear()
  known.set(text, read)
  return read
}

/** A minus sign has spaces around it: names may have hyphens. */
const isExpression = (text: string) => /[*/+()]|\s-\s|^\s*-/.test(text)

const pathReader =
  (path: string): ReadItem =>
  (item) =>
    path === '' ? item : valueAt(item, path)

const refuseLength = (call: HelperCall) => wrong(call, `the expression has more than ${maxChars} characters`)

function expressionReader(text: string): ReadItem {
  let evaluate: Evaluate | undefined
  return (item, at) => {
    // The name of a field may have these signs: `Price (net)`.
    const field = valueAt(item, text)
    if (field !== undefined) return field
    evaluate ??= new Parser(at, text).parse()
    const result = evaluate(item, at)
    return result === undefined ? undefined : numberFrom(at, result)
  }
}

export const zero = new Decimal(0)

/** Undefined for a missing value. */
export function decimalOf(call: HelperCall, value: unknown): Big | undefined {
  if (isAbsent(value)) return undefined
  const number = numberOf(call, value)
  // A text such as "0.10" has its own digits. "+5" and "0x10" are numbers, too.
  const text = typeof value === 'string' ? value.trim() : ''
  return checked(call, new Decimal(decimalText.test(text) ? text : number))
}

export function numberFrom(call: HelperCall, value: Big): number {
  return Number(checked(call, value).toPrecision(17))
}

function checked(call: HelperCall, value: Big): Big {
  return Math.abs(value.e) > maxExponent && value.c[0] !== 0
    ? wrong(call, `${value.toExponential(3)} is too large or too small to calculate with`)
    : value
}

/** A name may have letters of any script, digits, `_`, `$`, `@` and hyphens within; a path has dots between names. */
const token =
  /\s*(?:(\d+(?:\.\d+)?)|([\p{L}_$@][\p{L}\p{N}_$@]*(?:-[\p{L}\p{N}_$@]+)*(?:\.(?:[\p{L}_$@][\p{L}\p{N}_$@]*(?:-[\p{L}\p{N}_$@]+)*|\d+))*)|([-+*/()]))/uy

/** expression = term {("+" | "-") term}; term = factor {("*" | "/") factor}; factor = number | path | "-" factor | "(" expression ")". */
class Parser {
  readonly #call: HelperCall
  readonly #text: string
  #at = 0
  #number: string | undefined
  #path: string | undefined
  #mark: string | undefined

  constructor(call: HelperCall, text: string) {
    this.#call = call
    this.#text = text
    this.#next()
  }

  parse(): Evaluate {
    const evaluate = this.#sum()
    if (this.#mark !== undefined || this.#number !== undefined || this.#path !== undefined) this.#unexpected()
    return evaluate
  }

  #sum(): Evaluate {
    let left = this.#product()
    for (let mark = this.#mark; mark === '+' || mark === '-'; mark = this.#mark) {
      this.#next()
      left = both(left, this.#product(), mark === '+' ? (a, b) => a.plus(b) : (a, b) => a.minus(b))
    }
    return left
  }

  #product(): Evaluate {
    let left = this.#factor()
    for (let mark = this.#mark; mark === '*' || mark === '/'; mark = this.#mark) {
      this.#next()
      left = both(left, this.#factor(), mark === '*' ? (a, b) => a.times(b) : divided)
    }
    return left
  }

  #factor(): Evaluate {
    const [number, path, mark] = [this.#number, this.#path, this.#mark]
    if (number === undefined && path === undefined && mark !== '-' && mark !== '(') return this.#unexpected()
    this.#next()
    if (number !== undefined) {
      const value = new Decimal(number)
      return () => value
    }
    if (path !== undefined) return (item, call) => decimalOf(call, valueAt(item, path))
    if (mark === '-') {
      const inner = this.#factor()
      return (item, call) => inner(item, call)?.neg()
    }
    const inner = this.#sum()
    if (this.#mark !== ')') return this.#unexpected()
    this.#next()
    return inner
  }

  #next(): void {
    token.lastIndex = this.#at
    const found = token.exec(this.#text)
    if (!found && this.#text.slice(this.#at).trim() !== '') this.#unexpected()
    const [all = '', number, path, mark] = found ?? []
    this.#at += all.length
    this.#number = number
    this.#path = path
    this.#mark = mark
  }

  #unexpected(): never {
    const problem = 'is not a path or an expression such as "quantity * price"'
    return wrong(this.#call, `"${this.#text.slice(0, 60)}" ${problem}`)
  }
}

/** A missing value makes the result a missing one. */
const both =
  (left: Evaluate, right: Evaluate, of: (a: Big, b: Big, call: HelperCall) => Big): Evaluate =>
  (item, call) => {
    const [a, b] = [left(item, call), right(item, call)]
    return a === undefined || b === undefined ? undefined : checked(call, of(a, b, call))
  }

function divided(a: Big, b: Big, call: HelperCall): Big {
  return b.eq(zero) ? wrong(call, `${a.toString()} cannot be divided by 0`) : a.div(b)
}
