/** The description of a setting, for people. */
export interface Described {
  /** The meaning in Markdown, for the tables of settings. Links are relative to docs/reference/settings.md. */
  readonly meaning: string
  /** The default as the tables show it, in Markdown. Default: the value. */
  readonly shownDefault?: string
  /**
   * Whether the setting is also in the short table of settings to set first. A text is the default that `npm start` has
   * instead.
   */
  readonly setFirst?: true | string
  /** A variable of the system or of another specification: it is known and checked, and not in the tables of settings. */
  readonly standard?: true
}

/** The form of a text. */
export interface TextForm {
  readonly pattern: Pick<RegExp, 'test'>
  /** Completes `must be`. */
  readonly hint: string
  /** Values that are accepted, and values that nearly are: tests try both. */
  readonly right: readonly string[]
  readonly wrong: readonly string[]
}

/** The values that a setting accepts, for tests. A text without a form may be anything. */
export type Form =
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'flag' }
  | { readonly kind: 'choice'; readonly allowed: readonly string[] }
  | { readonly kind: 'text'; readonly form?: TextForm | undefined; readonly secret: boolean }

export type Parsed<Value> = { readonly value: Value } | { readonly problem: string }

/**
 * An environment variable of Platen. It is declared once, beside the configuration that has its value: the tables of the
 * documentation, the names that a start knows, and the tests of wrong values are derived from the declarations.
 */
export interface Setting<Value = unknown> extends Described {
  readonly name: string
  readonly shownDefault: string
  readonly form: Form
  /** `text` has no spaces around it and is not empty. */
  parse(text: string): Parsed<Value>
  /** The default, or the problem that it has to be set. */
  unset(): Parsed<Value>
}

/** Settings by the names of their values in a configuration. */
export type Settings = Readonly<Record<string, Setting>>

export type ValueOf<Declared> = Declared extends Setting<infer Value> ? Value : never

export type ValuesOf<Declared extends Settings> = { -readonly [Name in keyof Declared]: ValueOf<Declared[Name]> }

export interface IntegerOptions<Default> extends Described {
  readonly default: Default
  readonly min: number
  readonly max: number
}

/** An integer. Without a default, the value is undefined if the variable is not set. */
export function integer<Default extends number | undefined>(
  name: string,
  options: IntegerOptions<Default>,
): Setting<number | Default> {
  const { min, max } = options
  return declare<number | Default>(name, options, { kind: 'integer', min, max }, (text) => {
    const value = Number(text)
    if (/^-?\d+$/.test(text) && value >= min && value <= max) return { value }
    return refusal(`an integer from ${min} to ${max}`, text)
  })
}

export function flag(name: string, options: Described & { readonly default: boolean }): Setting<boolean> {
  return declare(name, options, { kind: 'flag' }, (text) => {
    if (text === 'true' || text === 'false') return { value: text === 'true' }
    return refusal('true or false', text)
  })
}

export function choice<const Choice extends string>(
  name: string,
  options: Described & { readonly default: NoInfer<Choice>; readonly allowed: readonly Choice[] },
): Setting<Choice> {
  const { allowed } = options
  return declare(name, options, { kind: 'choice', allowed }, (text) => {
    const value = allowed.find((choice) => choice === text)
    return value === undefined ? refusal(`one of ${allowed.join(', ')}`, text) : { value }
  })
}

export interface TextOptions extends Described {
  readonly form?: TextForm
  /** Secret values are left out of error messages. */
  readonly secret?: boolean
}

export function text(name: string, options: TextOptions & { readonly default: string }): Setting<string> {
  return declare(name, options, formOf(options), parserOf(options))
}

export function optionalText(name: string, options: TextOptions): Setting<string | undefined> {
  return declare<string | undefined>(name, { ...options, default: undefined }, formOf(options), parserOf(options))
}

export function requiredText(name: string, options: TextOptions): Setting<string> {
  return required(optionalText(name, options))
}

/** The same setting for a process that requires it. */
export function required<Value>(setting: Setting<Value | undefined>): Setting<Value> {
  const hint = setting.form.kind === 'text' ? setting.form.form?.hint : undefined
  const problem = `must be set${hint === undefined ? '' : `: ${hint}`}`
  return {
    ...setting,
    shownDefault: setting.shownDefault === 'none' ? 'required' : setting.shownDefault,
    parse: (text) => present(setting.parse(text), problem),
    unset: () => present(setting.unset(), problem),
  }
}

/** The same setting for a process that works without it. */
export function optional<Value>(setting: Setting<Value>): Setting<Value | undefined> {
  return { ...setting, unset: () => ({ value: undefined }) }
}

/** The same setting, for a process with another default. */
export function withDefault<Value>(setting: Setting<Value | undefined>, value: Value): Setting<Value> {
  const { parse } = required(setting)
  return { ...setting, parse, unset: () => ({ value }) }
}

/** The same setting, with its value in another form. */
export function mapped<Value, Other>(setting: Setting<Value>, map: (value: Value) => Other): Setting<Other> {
  const other = (parsed: Parsed<Value>): Parsed<Other> => ('value' in parsed ? { value: map(parsed.value) } : parsed)
  return { ...setting, parse: (text) => other(setting.parse(text)), unset: () => other(setting.unset()) }
}

function declare<Value>(
  name: string,
  described: Described & { readonly default: Value },
  form: Form,
  parse: (text: string) => Parsed<Value>,
): Setting<Value> {
  const { meaning, setFirst, standard, default: value } = described
  const shownDefault = described.shownDefault ?? (value === undefined ? 'none' : `\`${value}\``)
  const shown = { meaning, shownDefault, ...(setFirst && { setFirst }), ...(standard && { standard }) }
  return { name, ...shown, form, parse, unset: () => ({ value }) }
}

function present<Value>(parsed: Parsed<Value | undefined>, problem: string): Parsed<Value> {
  if ('problem' in parsed) return parsed
  return parsed.value === undefined ? { problem } : { value: parsed.value }
}

function refusal(wanted: string, text: string): { problem: string } {
  return { problem: `must be ${wanted}, not "${text}"` }
}

const formOf = ({ form, secret = false }: TextOptions): Form => ({ kind: 'text', form, secret })

const quoted = /^(["']).*\1$/s

function parserOf({ form, secret = false }: TextOptions): (text: string) => Parsed<string> {
  return (text) => {
    // Docker and systemd pass the quotes of some env files on. A secret may have them.
    if (!secret && quoted.test(text)) return { problem: `must be given without quotes, not ${text}` }
    if (form === undefined || form.pattern.test(text)) return { value: text }
    if (!secret) return refusal(form.hint, text)
    return { problem: `must be ${form.hint}${quoted.test(text) ? ', without quotes' : ''}` }
  }
}
