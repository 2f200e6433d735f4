import Handlebars from 'handlebars'
import { DomainError } from '../errors/errors.ts'
import { rawBlock } from './builtin-helpers.ts'
import { helpers } from './helpers/catalogue.ts'
import { type HelperCall, isSafeText } from './helpers/helper.ts'
import type { PrintingSite } from './missing-values.ts'
import type { OwnHelpers } from './own-helpers.ts'
import { bounded, limited } from './rendered-limit.ts'
import { noSuchPartial, TemplateProblem } from './template-problem.ts'
import {
  type ComputedPartial,
  missingHelper,
  objectHelper,
  partialNameHelper,
  traceMissingValues,
} from './tracing-compiler.ts'

/** Callbacks while a template runs. */
export interface Notes {
  /** A printed value that is not in the data, with the object that should have it. */
  missing(from: unknown, site: PrintingSite): void
  /** An object or a list that is printed. */
  object(value: object, site: PrintingSite): void
  /** The text of a key, which is noted if it is not in the language. */
  translate(key: string, site: PrintingSite): string
}

/** Handlebars with the helpers of Platen, each of whose results is limited. */
export function createEnvironment(notes: Notes): typeof Handlebars {
  const environment = Handlebars.create()
  environment.unregisterHelper('log')
  traceMissingValues(environment)
  environment.registerHelper(missingHelper, notes.missing)
  environment.registerHelper(objectHelper, (value: object, site: PrintingSite) => {
    if (!isSafeText(value)) notes.object(value, site)
    return value
  })
  environment.registerHelper(partialNameHelper, checkedName)
  environment.registerHelper(rawBlock, function (this: unknown, options: Handlebars.HelperOptions) {
    return options.fn(this)
  })
  const each = environment.helpers.each
  environment.registerHelper('each', function (this: unknown, list: unknown, options: Handlebars.HelperOptions) {
    return each?.call(this, list, { ...options, fn: bounded(options.fn) })
  })
  for (const [name, helper] of Object.entries(helpers)) {
    environment.registerHelper(name, function (this: unknown, ...args: unknown[]) {
      const options = args.pop() as CallOptions
      const call: HelperCall = {
        name,
        args,
        hash: options.hash,
        ...languageOf(options.data),
        translate: (key) => notes.translate(key, siteOf(key, options.loc)),
      }
      if (helper.block) call.block = blockOf(this, options)
      return called(name, options, () => helper.run(call))
    })
  }
  return environment
}

/** A helper of the template's script. It gets the variables of the call by name, since nothing but JSON reaches a script. */
export function ownHelper(name: string, own: OwnHelpers): Handlebars.HelperDelegate {
  return (...args: unknown[]) => {
    const options = args.pop() as CallOptions
    const { locale, timezone, index, key, first, last } = options.data
    const given = { hash: options.hash, data: { locale, timezone, index, key, first, last } }
    return called(name, options, () => own.call(name, args, given))
  }
}

/** The error of Handlebars for an unknown partial has no place. */
function checkedName(name: unknown, partials: object, { partial, ...start }: ComputedPartial): unknown {
  if (Object.hasOwn(partials, String(name)) || name === '@partial-block') return name
  throw noSuchPartial({ name: String(name), ...start }, partial)
}

const siteOf = (path: string, { start, source }: hbs.AST.SourceLocation): PrintingSite => ({
  path,
  parts: [],
  line: start.line,
  column: start.column,
  partial: source ?? undefined,
})

const languageOf = ({ now, locale, timezone }: Pick<HelperCall, 'now' | 'locale' | 'timezone'>) => ({
  now,
  locale,
  timezone,
})

/** The options that Handlebars passes to a helper. Its types leave out the place of the call. */
type CallOptions = Handlebars.HelperOptions & { loc: hbs.AST.SourceLocation }

/** The result of a helper, within its limit. An error has the failed call. */
function called(name: string, options: CallOptions, run: () => unknown): unknown {
  try {
    return limited(run())
  } catch (err) {
    throw atCall(err, name, options)
  }
}

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
