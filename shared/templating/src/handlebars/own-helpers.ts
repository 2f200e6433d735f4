import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import Handlebars from 'handlebars'
import { DomainError } from '../errors/errors.ts'
import { Isolate, IsolateLimit, ScriptError } from '../isolate/isolate.ts'
import type { QuickJs } from '../isolate/quickjs.ts'
import { builtinHelpers } from './builtin-helpers.ts'
import { helpers } from './helpers/catalogue.ts'
import { isSafeText } from './helpers/helper.ts'
import { TemplateProblem } from './template-problem.ts'

/** The name of the script in messages, as that of its field. */
const sourceName = 'helpers'
const maxCount = 100
const validName = /^[A-Za-z_][A-Za-z0-9_]{0,59}$/

/** Words of the language of templates, and what Handlebars itself calls by its name, for any block or missing helper. */
const reservedNames = new Set([
  'this',
  'else',
  'true',
  'false',
  'null',
  'undefined',
  'log',
  'helperMissing',
  'blockHelperMissing',
])

/** The functions of a template's script. */
export interface OwnHelpers extends Disposable {
  names: readonly string[]
  /** Calls a helper as Handlebars does: the last argument has the named arguments and the variables of the call. */
  call(name: string, args: readonly unknown[], options: CallOptions): unknown
}

export interface CallOptions {
  hash: Readonly<Record<string, unknown>>
  /** `locale`, `timezone`, and `index`, `key`, `first` and `last` in a loop. */
  data: Readonly<Record<string, unknown>>
}

/**
 * Runs the script of a template, which exports its helpers. Throws TEMPLATE_SYNTAX_ERROR with the place, TEMPLATE_RENDER_ERROR
 * for exports that cannot be helpers, and TEMPLATE_TOO_COMPLEX.
 */
export function openOwnHelpers(quickJs: QuickJs, source: string, now: Date): OwnHelpers {
  const isolate = openIsolate(quickJs, source, now)
  const { names } = isolate
  try {
    checkNames(names)
  } catch (err) {
    isolate[Symbol.dispose]()
    throw err
  }
  return {
    names,
    call: (name, args, options) => callHelper(isolate, name, args, options),
    [Symbol.dispose]: () => isolate[Symbol.dispose](),
  }
}

function openIsolate(quickJs: QuickJs, source: string, now: Date): Isolate {
  try {
    return new Isolate(quickJs, source, now.getTime())
  } catch (err) {
    if (err instanceof ScriptError && err.place) {
      const { line, column } = err.place
      const problem = new TemplateProblem('TEMPLATE_SYNTAX_ERROR', err.message, { line, column: column - 1 })
      throw problem.inSource(source, sourceName)
    }
    if (err instanceof ScriptError) throw refused(err.message)
    if (err instanceof IsolateLimit) throw new DomainError('TEMPLATE_TOO_COMPLEX', `${sourceName}: they ${err.message}`)
    throw err
  }
}

function checkNames(names: readonly string[]): void {
  if (names.length === 0) throw refused('nothing is exported; write export function name(value) { … }')
  if (names.length > maxCount) throw refused(`at most ${maxCount} functions, not ${names.length}`)
  for (const name of names) {
    if (name === 'default') throw refused('export default has no name that a template can call')
    if (!validName.test(name))
      throw refused(`the name ${name.slice(0, 60)} has other characters than A-Z, a-z, 0-9 and _`)
    if (reservedNames.has(name))
      throw refused(`the name ${name} has a meaning of its own in templates; choose another name`)
    if (Object.hasOwn(builtinHelpers, name) || Object.hasOwn(helpers, name)) {
      throw refused(`there is a helper ${name} already; choose another name`)
    }
  }
}

function callHelper(isolate: Isolate, name: string, args: readonly unknown[], { hash, data }: CallOptions): unknown {
  const given = args.map(plain)
  const absent = given.flatMap((value, index) => (value === undefined ? [index] : []))
  const options = { hash: Object.fromEntries(Object.entries(hash).map(([key, value]) => [key, plain(value)])), data }
  let result: { html?: unknown; value?: unknown }
  try {
    const json = isolate.call(name, stringifyExact({ args: given, absent, options }) ?? '')
    // The same rule as for the data of a request.
    if (json.includes('"__proto__":')) throw new ScriptError('it returns a field __proto__')
    result = JSON.parse(json)
  } catch (err) {
    if (err instanceof IsolateLimit)
      throw new DomainError('TEMPLATE_TOO_COMPLEX', `${name}: own helpers ${err.message}`)
    if (!(err instanceof ScriptError)) throw err
    const place = err.place ? ` (${sourceName}, line ${err.place.line}, column ${err.place.column})` : ''
    throw new DomainError('TEMPLATE_RENDER_ERROR', `${name}: ${err.message}${place}`, { details: { helper: name } })
  }
  return typeof result.html === 'string' ? new Handlebars.SafeString(result.html) : result.value
}

/** A text that another helper has made becomes a plain string. */
const plain = (value: unknown) =>
  typeof value === 'object' && value !== null && isSafeText(value) ? String(value) : value

const refused = (problem: string) =>
  new DomainError('TEMPLATE_RENDER_ERROR', `${sourceName}: ${problem}`, { details: { source: sourceName } })
