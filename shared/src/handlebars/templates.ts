import Handlebars from 'handlebars'
import type { JsonObject } from '../contracts/json.ts'
import { DomainError } from '../runtime/errors.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import { builtinHelpers } from './builtin-helpers.ts'
import { helpers } from './helpers/catalogue.ts'
import type { HelperCall } from './helpers/helper.ts'
import { inspectTemplate, type PartialCalls } from './inspect-template.ts'
import type { MissingValues, PrintingSite } from './missing-values.ts'
import { parseTemplate } from './parse-template.ts'
import { printedPaths } from './printed-paths.ts'
import { checkComplexity } from './scan.ts'
import { noSuchPartial, partialSource, TemplateProblem } from './template-problem.ts'
import { missingHelper, traceMissingValues } from './tracing-compiler.ts'

/** The limit on the HTML of a filled template, in bytes. */
export const maxRenderedBytes = 5 * 1024 * 1024

const compileOptions = {
  knownHelpersOnly: true,
  knownHelpers: {
    ...Object.fromEntries(Object.keys({ ...builtinHelpers, ...helpers }).map((name) => [name, true])),
    log: false,
    helperMissing: false,
    blockHelperMissing: false,
  },
}

// Set explicitly: with the defaults every refused access is logged to the console.
const runtimeOptions = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false }

interface Compiled {
  run: HandlebarsTemplateDelegate
  calls: PartialCalls['calls']
}

/** Partials by name, ready to be called. */
export interface LoadedPartials {
  sources: Readonly<Record<string, string>>
  run: Record<string, HandlebarsTemplateDelegate>
}

export const noPartials: LoadedPartials = { sources: {}, run: {} }

/** What the sources of a job are filled with. */
export interface Filling {
  data: JsonObject
  /** The result of the helper `now`. */
  now: Date
  partials?: LoadedPartials
  /** Collects the values that are printed and not in the data. */
  missing?: MissingValues
}

/** Those of the template that is being filled. Filling is synchronous, so that the thread fills one at a time. */
let missingValues: MissingValues | undefined

const handlebars = createEnvironment()
const compiled = new LruCache<Compiled>({ maxCount: 500, maxWeight: 8 * 1024 * 1024 })

/**
 * Returns the partials that the source calls, which it does not look for. Throws TEMPLATE_TOO_COMPLEX,
 * TEMPLATE_SYNTAX_ERROR, TEMPLATE_RENDER_ERROR. `name` is the source's name in messages.
 */
export function checkTemplate(source: string, name: string): PartialCalls {
  return reporting(source, name, noPartials, () => {
    const { program, partials } = parse(source)
    handlebars.precompile(program, { ...compileOptions })
    return partials
  })
}

/** Compiles the partials of a job, by their name. Throws the errors of checkTemplate. */
export function loadPartials(sources: Readonly<Record<string, string>>): LoadedPartials {
  const run = Object.entries(sources).map(([name, source]) => {
    const partial = reporting(source, partialSource(name), noPartials, () => compile(source, name).run)
    return [name, partial] as const
  })
  return { sources, run: Object.fromEntries(run) }
}

/** Throws the errors of checkTemplate, and RENDER_LIMIT_EXCEEDED. */
export function renderTemplate(
  source: string,
  name: string,
  { data, now, partials = noPartials, missing }: Filling,
): string {
  return reporting(source, name, partials, () => {
    const { run, calls } = compile(source)
    const unknown = calls.find((call) => !call.hasBlock && !Object.hasOwn(partials.run, call.name))
    if (unknown) throw noSuchPartial(unknown)
    missingValues = missing
    if (missing) missing.source = name
    const text = run(data, { ...runtimeOptions, data: { now }, partials: partials.run })
    // Check the length first: it is known before V8 joins the pieces of the string.
    if (text.length > maxRenderedBytes || Buffer.byteLength(text) > maxRenderedBytes) return tooLarge()
    return text
  })
}

/** `partial` is the name of a partial, which is in the errors of the helpers that it calls. */
function compile(source: string, partial?: string): Compiled {
  const key = partial === undefined ? source : `${partial}\0${source}`
  const known = compiled.get(key)
  if (known) return known
  const { program, partials } = parse(source, partial)
  const run = handlebars.compile(program, { ...compileOptions, ...{ printed: printedPaths(program) } })
  const template = { run: partial === undefined ? run : limitedPartial(run), calls: partials.calls }
  compiled.set(key, template)
  return template
}

function parse(source: string, partial?: string): { program: hbs.AST.Program; partials: PartialCalls } {
  checkComplexity(source)
  const program = parseTemplate(source, partial)
  return { program, partials: inspectTemplate(program) }
}

/** Partials that call each other several times could fill the memory before the document is complete. */
function limitedPartial(run: HandlebarsTemplateDelegate): HandlebarsTemplateDelegate {
  return (context, options) => {
    const text = run(context, options)
    return text.length > maxRenderedBytes ? tooLarge() : text
  }
}

function createEnvironment(): typeof Handlebars {
  const environment = Handlebars.create()
  environment.unregisterHelper('log')
  traceMissingValues(environment)
  environment.registerHelper(missingHelper, (from: unknown, site: PrintingSite) => {
    missingValues?.note(from, site)
  })
  const each = environment.helpers.each
  environment.registerHelper('each', function (this: unknown, list: unknown, options: Handlebars.HelperOptions) {
    return each?.call(this, list, { ...options, fn: bounded(options.fn) })
  })
  for (const [name, helper] of Object.entries(helpers)) {
    environment.registerHelper(name, function (this: unknown, ...args: unknown[]) {
      const options = args.pop() as CallOptions
      const call: HelperCall = { name, args, hash: options.hash, now: options.data.now }
      if (helper.block) call.block = blockOf(this, options)
      try {
        return limited(helper.run(call))
      } catch (err) {
        throw atCall(err, name, options)
      }
    })
  }
  return environment
}

/** What Handlebars passes to a helper. Its types leave out the place of the call. */
type CallOptions = Handlebars.HelperOptions & { loc: hbs.AST.SourceLocation }

/** Adds the failed call to the error of a helper. */
function atCall(err: unknown, helper: string, { loc, data }: CallOptions): unknown {
  if (!(err instanceof DomainError) || err.code !== 'TEMPLATE_RENDER_ERROR') return err
  return new TemplateProblem(err.code, err.message, loc.start, {
    call: { helper, end: loc.end, item: data.key },
    partial: loc.source ?? undefined,
  })
}

function blockOf(context: unknown, options: Handlebars.HelperOptions): NonNullable<HelperCall['block']> {
  const inside = bounded(options.fn)
  return {
    inside: (variables) => inside(context, { data: Object.assign(Handlebars.createFrame(options.data), variables) }),
    otherwise: () => options.inverse(context),
  }
}

/** Ends a loop whose output is too large, before it fills the memory. */
function bounded(inside: HandlebarsTemplateDelegate): HandlebarsTemplateDelegate {
  let length = 0
  return (context, options) => {
    const text = inside(context, options)
    length += text.length
    return length > maxRenderedBytes ? tooLarge() : text
  }
}

/** Limits the result of each call: strings that double with each call could exhaust the memory of the process. */
function limited(result: unknown): unknown {
  return typeof result === 'string' && result.length > maxRenderedBytes ? tooLarge() : result
}

function tooLarge(): never {
  throw limitExceeded()
}

function limitExceeded(): DomainError {
  const limit = `${maxRenderedBytes / 1024 / 1024} MiB`
  return new DomainError('RENDER_LIMIT_EXCEEDED', `the HTML of the filled template is larger than ${limit}`, {
    details: { limit: maxRenderedBytes },
  })
}

/** Converts every error to a DomainError whose message and details name the source. */
function reporting<Result>(source: string, name: string, partials: LoadedPartials, work: () => Result): Result {
  try {
    return work()
  } catch (err) {
    const partial = err instanceof TemplateProblem ? err.partial : undefined
    const text = partial === undefined ? undefined : partials.sources[partial]
    throw partial === undefined || text === undefined
      ? errorOf(err, source, name)
      : errorOf(err, text, partialSource(partial))
  }
}

function errorOf(err: unknown, source: string, name: string): DomainError {
  if (err instanceof TemplateProblem) return err.inSource(source, name)
  const details = { source: name }
  if (err instanceof DomainError) {
    return new DomainError(err.code, `${name}: ${err.message}`, {
      details: { ...details, ...Object(err.details) },
      cause: err,
    })
  }
  if (err instanceof RangeError && /call stack/.test(err.message)) {
    return new DomainError('TEMPLATE_TOO_COMPLEX', `${name}: the template is nested too deeply`, {
      details,
      cause: err,
    })
  }
  if (err instanceof RangeError && /string length/.test(err.message)) return errorOf(limitExceeded(), source, name)
  const problem = err instanceof Error ? err.message : String(err)
  return new DomainError('TEMPLATE_RENDER_ERROR', `${name}: ${problem}`, { details, cause: err })
}
