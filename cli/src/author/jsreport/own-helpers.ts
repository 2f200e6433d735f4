import { Script } from 'node:vm'
import { builtinHelpers } from '@platen/templating/handlebars/builtin-helpers.ts'
import { helpers as platenHelpers } from '@platen/templating/handlebars/helpers/catalogue.ts'
import type { Remarks } from './report.ts'

/** A script of jsreport: the functions at its top are helpers. */
export interface HelperScript {
  source: string
  /** Named in remarks. */
  entity: string
}

interface HelperFunction {
  name: string
  declaration: string
  /** The whole function. */
  text: string
}

const declarations = /\b(async\s+)?function\s*(\*?)\s*([A-Za-z_$][\w$]*)\s*\(/g

/**
 * The script of a template's own helpers, from the scripts of jsreport in the order in which they are run: those that the
 * sources call. Undefined if they call none.
 */
export function ownHelpers(
  scripts: readonly HelperScript[],
  sources: readonly string[],
  remarks: Remarks,
): string | undefined {
  const called = scripts.flatMap(({ source, entity }) => {
    const script = inPlaten(source)
    const functions = functionsOf(script)
    const needsModules = loadsModules(functions.reduce((rest, { text }) => rest.replace(text, () => ''), script))
    const loading = withModules(functions)
    const names = functions.flatMap((one) => {
      if (!isCalled(one.name, sources)) return []
      const problem = needsModules ? 'is in a script that loads a module' : problemOf(one, loading)
      if (problem !== undefined) remarks.left(entity, `the helper ${one.name} ${problem}`)
      return problem === undefined ? [one.name] : []
    })
    return names.length === 0 ? [] : [{ script, names }]
  })
  const [only, another] = called
  if (!only) return undefined
  if (!another) return `${only.script}\n\nexport { ${only.names.join(', ')} }\n`
  // A later script may have functions of the same names.
  const later = (index: number) => new Set(called.slice(index + 1).flatMap(({ names }) => names))
  const parts = called.flatMap(({ script, names }, index) => {
    const own = names.filter((name) => !later(index).has(name)).join(', ')
    return own === '' ? [] : [`export const { ${own} } = (() => {\n${script}\nreturn { ${own} }\n})()\n`]
  })
  return parts.join('\n')
}

/** Compiles, and runs nothing: a second declaration of a name at the top of a script is a syntax error (ECMA-262, 16.1.1). */
function functionsOf(script: string): HelperFunction[] {
  const found = [...script.matchAll(declarations)].filter(([, , , name = '']) => isDeclared(script, name))
  return found.map((match) => ({
    name: match[3] ?? '',
    declaration: match[0],
    text: wholeFunction(script.slice(match.index)),
  }))
}

const isDeclared = (script: string, name: string) =>
  syntaxError(`let ${name};\n${script}`)?.includes(`'${name}' has already been declared`) ?? false

/** The function at the start of a text: up to the first brace with which it can be compiled. */
function wholeFunction(text: string): string {
  for (let end = text.indexOf('}'); end !== -1; end = text.indexOf('}', end + 1)) {
    const whole = text.slice(0, end + 1)
    if (syntaxError(`(${whole})`) === undefined) return whole
  }
  return text
}

/** Undefined for a script without one. */
function syntaxError(script: string): string | undefined {
  try {
    new Script(script)
    return undefined
  } catch (err) {
    return (err as Error).message
  }
}

const isCalled = (name: string, sources: readonly string[]) => {
  const pattern = new RegExp(String.raw`\{\{[^}]*(?<![\w.$@])${name.replaceAll('$', '\\$')}(?![\w$])`)
  return sources.some((source) => pattern.test(source))
}

/** Strings and comments (ECMA-262, 12.4 and 12.9.4), but template literals, which may have code. */
const noCode = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g

const loadsModules = (source: string) => /\brequire\s*\(/.test(source.replace(noCode, ''))

/** The names of functions that load a module, or have the name of one that does. */
function withModules(functions: readonly HelperFunction[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const { name, text } of functions) {
      const words = new Set(text.replace(noCode, '').match(/[\w$]+/g))
      if (loadsModules(text) || [...found].some((other) => words.has(other))) found.add(name)
    }
  }
  return found
}

function problemOf(
  { name, declaration, text: source }: HelperFunction,
  loading: ReadonlySet<string>,
): string | undefined {
  const text = source.replace(noCode, '')
  if (declaration.startsWith('async') || declaration.includes('*')) return 'is asynchronous'
  if (loading.has(name)) return 'loads a module'
  if (/\.(fn|inverse)\s*\(/.test(text)) return 'is of a block'
  if (/\bthis\b/.test(text)) return 'reads `this`; give it the value as an argument'
  if (name in builtinHelpers || Object.hasOwn(platenHelpers, name))
    return 'has the name of one of Platen, which is called'
  return undefined
}

/** In jsreport the console is that of its profiler. Helpers of Platen have none. */
const quietConsole = 'const console = { log() {}, debug() {}, info() {}, warn() {}, error() {} }\n'

/** Platen has `Handlebars` in scripts. */
function inPlaten(source: string): string {
  const script = source
    .replace(/\b(?:const|let|var)\s+Handlebars\s*=\s*require\((['"])handlebars\1\);?/g, '')
    .replace(/\brequire\((['"])handlebars\1\)/g, 'Handlebars')
    .trim()
  return /\bconsole\./.test(script) ? quietConsole + script : script
}
