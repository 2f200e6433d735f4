import Handlebars from 'handlebars'
import type { JsonObject } from '../contracts/json.ts'
import { DomainError, fail } from '../runtime/errors.ts'
import { LruCache } from '../runtime/lru-cache.ts'
import { builtinHelpers } from './builtin-helpers.ts'
import { helpers } from './helpers/catalogue.ts'
import type { HelperCall } from './helpers/helper.ts'
import { inspectTemplate } from './inspect-template.ts'
import { parseTemplate } from './parse-template.ts'
import { checkComplexity } from './scan.ts'

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

const handlebars = createEnvironment()
const compiled = new LruCache<HandlebarsTemplateDelegate>({ maxCount: 500, maxWeight: 8 * 1024 * 1024 })

/**
 * Throws TEMPLATE_TOO_COMPLEX, TEMPLATE_SYNTAX_ERROR, TEMPLATE_RENDER_ERROR. `name` is the source's name in messages.
 */
export function checkTemplate(source: string, name: string): void {
  reporting(name, () => handlebars.precompile(parse(source, name), { ...compileOptions }))
}

/** Throws the errors of checkTemplate, and RENDER_LIMIT_EXCEEDED. */
export function renderTemplate(source: string, name: string, data: JsonObject, now: Date): string {
  return reporting(name, () => {
    const text = compile(source, name)(data, { ...runtimeOptions, data: { now } })
    // Check the length first: it is known before V8 joins the pieces of the string.
    if (text.length > maxRenderedBytes || Buffer.byteLength(text) > maxRenderedBytes) return tooLarge()
    return text
  })
}

function compile(source: string, name: string): HandlebarsTemplateDelegate {
  const known = compiled.get(source)
  if (known) return known
  const template = handlebars.compile(parse(source, name), { ...compileOptions })
  compiled.set(source, template)
  return template
}

function parse(source: string, name: string): hbs.AST.Program {
  checkComplexity(source, name)
  const program = parseTemplate(source, name)
  inspectTemplate(program, name)
  return program
}

function createEnvironment(): typeof Handlebars {
  const environment = Handlebars.create()
  environment.unregisterHelper('log')
  const each = environment.helpers.each
  environment.registerHelper('each', function (this: unknown, list: unknown, options: Handlebars.HelperOptions) {
    return each?.call(this, list, { ...options, fn: bounded(options.fn) })
  })
  for (const [name, helper] of Object.entries(helpers)) {
    environment.registerHelper(name, function (this: unknown, ...args: unknown[]) {
      const options = args.pop() as Handlebars.HelperOptions
      const call: HelperCall = { name, args, hash: options.hash, now: options.data.now }
      if (helper.block) call.block = blockOf(this, options)
      return limited(helper.run(call))
    })
  }
  return environment
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
  const limit = `${maxRenderedBytes / 1024 / 1024} MiB`
  return fail('RENDER_LIMIT_EXCEEDED', `the HTML of the filled template is larger than ${limit}`, {
    limit: maxRenderedBytes,
  })
}

/** Converts every error to a DomainError whose message and details name the source. */
function reporting<Result>(name: string, work: () => Result): Result {
  try {
    return work()
  } catch (err) {
    if (err instanceof DomainError) {
      const details = { source: name, ...(err.details as object | undefined) }
      const message = err.message.startsWith(name) ? err.message : `${name}: ${err.message}`
      throw new DomainError(err.code, message, { details, cause: err })
    }
    if (err instanceof RangeError && /call stack/.test(err.message)) {
      throw new DomainError('TEMPLATE_TOO_COMPLEX', `${name}: the template is nested too deeply`, {
        details: { source: name },
        cause: err,
      })
    }
    if (err instanceof RangeError && /string length/.test(err.message)) {
      return reporting(name, tooLarge)
    }
    const problem = err instanceof Error ? err.message : String(err)
    throw new DomainError('TEMPLATE_RENDER_ERROR', `${name}: ${problem}`, { details: { source: name }, cause: err })
  }
}
