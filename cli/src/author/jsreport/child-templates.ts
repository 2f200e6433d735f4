import { type Entity, type JsreportExport, textOf } from './read-export.ts'
import { literal, quoted, type References, type Source } from './source.ts'

/** `{#child header @data.title=Offer @data.id={{id}}}`. */
const tag = /\{#child ((?:[^{}]|\{\{[^{}]*\}\})*)\}/g
const call = new RegExp(
  String.raw`\{\{\{?\s*(component|childTemplate)\s+(${quoted}|[^\s}"']+)((?:\s+[\w.-]+=(?:${quoted}|[^\s}"']+))*)\s*\}?\}\}`,
  'g',
)

/** Replaces child templates and components with partials. */
export function translateChildren(text: string, source: Source, references: References): string {
  const tags = text.replace(tag, (whole, inside: string, at: number) => {
    const [path = '', ...parameters] = inside.split(' @')
    const values = parameters.map(hashOf)
    const wrong = values.indexOf(undefined)
    if (wrong !== -1) references.remarks.left(source.entity, `{#child} with the parameter @${parameters[wrong]}`)
    // A child has the data of the request, wherever it is called.
    const context = isInBlock(text.slice(0, at)) ? ['@root'] : []
    const hash = values.filter((value) => value !== undefined)
    return partialCall(whole, { set: 'templates', path: path.trim(), rest: [...context, ...hash] }, source, references)
  })
  if (source.engine !== 'handlebars') return tags
  return tags.replace(call, (whole, helper: string, argument: string, hash: string) => {
    const set = helper === 'component' ? 'components' : 'templates'
    const path = literal(argument)
    if (path !== undefined) return partialCall(whole, { set, path, rest: [hash.trim()] }, source, references)
    references.remarks.left(source.entity, `the data say which ${helper} is printed: ${argument}`)
    return whole
  })
}

interface Called {
  set: 'templates' | 'components'
  path: string
  /** The context and the named arguments. */
  rest: readonly string[]
}

function partialCall(whole: string, { set, path, rest }: Called, source: Source, references: References): string {
  const found = references.exported.find(set, path, source.folder)
  if (!found) {
    references.remarks.left(source.entity, `there is no ${set === 'templates' ? 'template' : 'component'} ${path}`)
    return whole
  }
  const words = [references.partialOf(found), ...rest].filter((word) => word !== '')
  return `{{> ${words.join(' ')}}}`
}

/** `data.id={{id}}` as `id=id`. Undefined for a parameter that is no field of the data. */
function hashOf(parameter: string): string | undefined {
  const [, name, value = ''] = /^data\.([A-Za-z_]\w*)=(.*)$/s.exec(parameter.trim()) ?? []
  if (name === undefined) return undefined
  const path = /^\{\{\{?\s*([\w.@[\]/-]+)\s*\}?\}\}$/.exec(value)?.[1]
  if (path !== undefined) return `${name}=${path}`
  return /[{}"\\]/.test(value) ? undefined : `${name}="${value}"`
}

/** Whether a block of Handlebars is open at the end of the text: its context may be another one. */
function isInBlock(before: string): boolean {
  const count = (pattern: RegExp) => before.match(pattern)?.length ?? 0
  return count(/\{\{~?#(?:each|with)\b/g) > count(/\{\{~?\/(?:each|with)\b/g)
}

/** The templates that other templates and components print as their children. */
export function calledTemplates(exported: JsreportExport): Set<Entity> {
  const callers = [...exported.of('templates'), ...exported.of('components')]
  const called = callers.flatMap(({ fields, folder }) => {
    const content = textOf(fields.content)
    const tags = [...content.matchAll(tag)].map(([, inside = '']) => inside.split(' @', 1)[0] ?? '')
    const calls = [...content.matchAll(call)].flatMap(([, helper, path = '']) =>
      helper === 'childTemplate' ? [literal(path) ?? ''] : [],
    )
    return [...tags, ...calls].flatMap((path) => exported.find('templates', path.trim(), folder) ?? [])
  })
  return new Set(called)
}
