import type { Setting, Settings, ValuesOf } from './setting.ts'

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

export interface SettingsReader {
  /** The values of the settings; the default of one that is invalid, which is reported. */
  read<Declared extends Settings>(settings: Declared): ValuesOf<Declared>
  /** Reports a value that contradicts another setting. The text follows the name of the setting: `must be set`. */
  refuse(setting: Setting, problem: string): void
}

/** Reads every setting, then throws one ConfigError that lists all invalid ones. An empty value counts as not set. */
export function readConfig<Config>(env: Environment, read: (settings: SettingsReader) => Config): Config {
  // Services that run in one process read some settings twice: report each setting once.
  const problems = new Map<string, string>()
  const refuse = ({ name }: Setting, problem: string) => {
    if (!problems.has(name)) problems.set(name, `${name} ${problem}`)
  }
  const readOne = (setting: Setting) => {
    const text = env[setting.name]?.trim() || undefined
    const parsed = text === undefined ? setting.unset() : setting.parse(text)
    if ('value' in parsed) return parsed.value
    refuse(setting, parsed.problem)
    return defaultOf(setting)
  }
  const config = read({ read: (settings) => mapValues(settings, readOne), refuse })
  if (problems.size > 0) throw new ConfigError([...problems.values()])
  return config
}

/** The settings that `read` reads, by their names. */
export function settingsReadBy(read: (settings: SettingsReader) => unknown): Map<string, Setting> {
  const found = new Map<string, Setting>()
  const record = (setting: Setting) => {
    found.set(setting.name, setting)
    return defaultOf(setting)
  }
  read({ read: (settings) => mapValues(settings, record), refuse: () => {} })
  return found
}

/** A required setting is a text. */
function defaultOf(setting: Setting): unknown {
  const unset = setting.unset()
  return 'value' in unset ? unset.value : ''
}

function mapValues<Declared extends Settings>(
  settings: Declared,
  value: (setting: Setting) => unknown,
): ValuesOf<Declared> {
  const values = Object.entries(settings).map(([key, setting]) => [key, value(setting)])
  return Object.fromEntries(values) as ValuesOf<Declared>
}
