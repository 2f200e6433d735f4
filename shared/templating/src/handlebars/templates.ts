import { defined } from '@platen/foundation/json/defined.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { builtinHelpers, rawBlock } from './builtin-helpers.ts'
import { createEnvironment, ownHelper } from './environment.ts'
import { helpers } from './helpers/catalogue.ts'
import { inspectTemplate, type PartialCalls } from './inspect-template.ts'
import type { MissingValues } from './missing-values.ts'
import type { OwnHelpers } from './own-helpers.ts'
import { parseTemplate } from './parse-template.ts'
import { printedPaths } from './printed-paths.ts'
import { limitedPartial, maxRenderedBytes, tooLarge } from './rendered-limit.ts'
import { checkComplexity } from './scan.ts'
import { reporting } from './source-errors.ts'
import { circleOfPartials, noSuchPartial, partialSource } from './template-problem.ts'
import { type Dictionaries, translated } from './translations.ts'

const compileOptions = {
  knownHelpersOnly: true,
  knownHelpers: {
    ...Object.fromEntries(Object.keys({ ...builtinHelpers, ...helpers }).map((name) => [name, true])),
    [rawBlock]: true,
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

const defaultLocale = 'en-US'
const defaultTimezone = 'UTC'

export const noPartials: LoadedPartials = { sources: {}, run: {} }

/** The values that the sources of a job are filled with. */
export interface Filling {
  data: JsonObject
  /** The result of the helper `now`. */
  now: Date
  /** The locale and time zone of helpers, also `@locale` and `@timezone`. */
  locale?: string
  timezone?: string
  /** The texts of {{t}}. */
  translations?: Dictionaries | undefined
  partials?: LoadedPartials
  /** Helpers of the template's script. */
  own?: OwnHelpers
  /** Collects the values that are printed and not in the data, or objects. */
  missing?: MissingValues
}

/**
 * The missing values of the current template. Filling is synchronous, so that the thread fills one template at a time.
 */
let missingValues: MissingValues | undefined
let dictionaries: Dictionaries | undefined
let language = defaultLocale

const handlebars = createEnvironment({
  missing: (from, site) => missingValues?.note(from, site),
  object: (value, site) => missingValues?.noteObject(value, site),
  translate: (key, site) => {
    const { text, problem } = translated(dictionaries, language, key)
    if (problem !== undefined) missingValues?.noteTranslation(problem, site)
    return text
  },
})
const compiled = new LruCache<Compiled>({ maxCount: 500, maxWeight: 8 * 1024 * 1024 })

/**
 * Returns the partials that the source calls, which it does not look for. Throws TEMPLATE_TOO_COMPLEX,
 * TEMPLATE_SYNTAX_ERROR, TEMPLATE_RENDER_ERROR. `name` is the source's name in messages, `own` those of the helpers of the
 * template's script.
 */
export function checkTemplate(source: string, name: string, own: readonly string[] = []): PartialCalls {
  return reporting(source, name, {}, () => {
    const { program, partials } = parse(source, undefined, own)
    handlebars.precompile(program, optionsWith(own))
    return partials
  })
}

/** Compiles the partials of a job, by their name. Throws the errors of checkTemplate, and TEMPLATE_RENDER_ERROR for a circle. */
export function loadPartials(sources: Readonly<Record<string, string>>): LoadedPartials {
  const partials = Object.entries(sources).map(([name, source]) => {
    return [name, reporting(source, partialSource(name), {}, () => compile(source, name))] as const
  })
  checkCircles(sources, new Map(partials.map(([name, { calls }]) => [name, calls])))
  return { sources, run: Object.fromEntries(partials.map(([name, { run }]) => [name, run])) }
}

/**
 * Finds circles of partials. Two partials that were saved at the same moment may call each other, because each was
 * checked before the other was stored.
 */
function checkCircles(sources: LoadedPartials['sources'], callsOf: ReadonlyMap<string, Compiled['calls']>): void {
  const done = new Set<string>()
  const visit = (name: string, chain: readonly string[]) => {
    if (done.has(name)) return
    for (const call of callsOf.get(name) ?? []) {
      if (chain.includes(call.name)) {
        throw circleOfPartials(call, chain).inSource(sources[name] ?? '', partialSource(name))
      }
      visit(call.name, [...chain, call.name])
    }
    done.add(name)
  }
  for (const name of callsOf.keys()) visit(name, [name])
}

/** Throws the errors of checkTemplate, and RENDER_LIMIT_EXCEEDED. */
export function renderTemplate(
  source: string,
  name: string,
  {
    data,
    now,
    locale = defaultLocale,
    timezone = defaultTimezone,
    partials = noPartials,
    missing,
    translations,
    own,
  }: Filling,
): string {
  return reporting(source, name, partials.sources, () => {
    const { run, calls } = compile(source, undefined, own?.names)
    const unknown = calls.find((call) => !call.hasBlock && !Object.hasOwn(partials.run, call.name))
    if (unknown) throw noSuchPartial(unknown)
    missingValues = missing
    dictionaries = translations
    language = locale
    if (missing) missing.source = name
    const helpers = own && Object.fromEntries(own.names.map((helper) => [helper, ownHelper(helper, own)]))
    const text = run(data, {
      ...runtimeOptions,
      data: { now, locale, timezone },
      partials: partials.run,
      ...defined({ helpers }),
    })
    // Check the length first: it is known before V8 joins the pieces of the string.
    if (text.length > maxRenderedBytes || Buffer.byteLength(text) > maxRenderedBytes) return tooLarge()
    return text
  })
}

/** `partial` is the name of a partial, which is in the errors of the helpers that it calls. */
function compile(source: string, partial?: string, own: readonly string[] = []): Compiled {
  const prefix = own.length > 0 ? `${own.join()}\0\0` : partial === undefined ? '' : `${partial}\0`
  const key = `${prefix}${source}`
  const known = compiled.get(key)
  if (known) return known
  const { program, partials } = parse(source, partial, own)
  const options = { ...optionsWith(own), printed: printedPaths(program, own) }
  const run = handlebars.compile(program, options)
  const template = { run: partial === undefined ? run : limitedPartial(run), calls: partials.calls }
  compiled.set(key, template)
  return template
}

function parse(source: string, partial: string | undefined, own: readonly string[]) {
  checkComplexity(source)
  const program = parseTemplate(source, partial)
  return { program, partials: inspectTemplate(program, own) }
}

function optionsWith(own: readonly string[]): typeof compileOptions {
  if (own.length === 0) return { ...compileOptions }
  const names = Object.fromEntries(own.map((name) => [name, true]))
  return { ...compileOptions, knownHelpers: { ...compileOptions.knownHelpers, ...names } }
}
