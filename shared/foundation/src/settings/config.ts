/** The environment variables, read once in `main.ts` and checked at start. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Lists every invalid setting, one line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

export interface TextOptions {
  pattern?: Pick<RegExp, 'test'>
  hint?: string
  /** The value is never part of an error message. */
  secret?: boolean
}

export interface IntegerOptions {
  default: number
  min: number
  max: number
  /** The setting whose value is `min`. */
  minOf?: string
}

export interface SettingsReader {
  text(name: string, options?: TextOptions & { default?: string }): string
  optionalText(name: string, options?: TextOptions): string | undefined
  integer(name: string, options: IntegerOptions): number
  flag(name: string, options: { default: boolean }): boolean
  choice<const Choice extends string>(
    name: string,
    options: { default: NoInfer<Choice>; allowed: readonly Choice[] },
  ): Choice
}

/** Reads every setting, then throws one ConfigError that lists all invalid ones. An empty value counts as not set. */
export function readConfig<Config>(env: Environment, read: (settings: SettingsReader) => Config): Config {
  // Services that run in one process read some settings twice: report each setting once.
  const problems = new Map<string, string>()
  const config = read(
    settingsReader(env, (name, problem) => {
      if (!problems.has(name)) problems.set(name, `${name} ${problem}`)
    }),
  )
  if (problems.size > 0) throw new ConfigError([...problems.values()])
  return config
}

const quoted = /^(["']).*\1$/s

function settingsReader(env: Environment, report: (name: string, problem: string) => void): SettingsReader {
  const given = (name: string) => env[name]?.trim() || undefined
  const wrong = (name: string, wanted: string) => report(name, `must be ${wanted}, not "${given(name)}"`)

  const optionalText: SettingsReader['optionalText'] = (name, options = {}) => {
    const { pattern, hint = `of the form ${pattern}`, secret = false } = options
    const value = given(name)
    if (value === undefined) return undefined
    // Docker and systemd pass the quotes of some env files on. A secret may have them.
    if (!secret && quoted.test(value)) report(name, `must be given without quotes, not ${value}`)
    else if (pattern && !pattern.test(value)) {
      if (secret) report(name, `must be ${hint}${quoted.test(value) ? ', without quotes' : ''}`)
      else wrong(name, hint)
    }
    return value
  }

  return {
    optionalText,
    text(name, options = {}) {
      const value = optionalText(name, options) ?? options.default
      if (value === undefined) report(name, `must be set${options.hint ? `: ${options.hint}` : ''}`)
      return value ?? ''
    },
    integer(name, { default: fallback, min, max, minOf }) {
      const value = given(name)
      if (value === undefined) return fallback
      const number = Number(value)
      if (/^-?\d+$/.test(value) && number >= min && number <= max) return number
      wrong(name, `an integer from ${min}${minOf === undefined ? '' : ` (${minOf})`} to ${max}`)
      return fallback
    },
    flag(name, { default: fallback }) {
      const value = given(name)
      if (value === undefined) return fallback
      if (value === 'true' || value === 'false') return value === 'true'
      wrong(name, 'true or false')
      return fallback
    },
    choice(name, { default: fallback, allowed }) {
      const value = given(name)
      if (value === undefined) return fallback
      const chosen = allowed.find((choice) => choice === value)
      if (chosen === undefined) wrong(name, `one of ${allowed.join(', ')}`)
      return chosen ?? fallback
    },
  }
}
