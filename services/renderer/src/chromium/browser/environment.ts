import type { Environment } from '@platen/foundation/settings/config.ts'

/** Variables that a browser and fontconfig need. They do not get others, such as keys and URLs of backing services. */
const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'FONTCONFIG_PATH', 'FONTCONFIG_FILE'] as const

/** The environment of the programs that the renderer starts. */
export type ProgramEnvironment = Readonly<Partial<Record<(typeof names)[number], string>>>

export function programEnvironment(env: Environment): ProgramEnvironment {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}
