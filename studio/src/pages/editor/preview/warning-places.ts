import { type DocumentId, documentText } from '../model/documents.ts'
import type { Fields } from '../model/fields.ts'
import type { Place, Problem } from '../model/problem.ts'
import type { Warning } from './preview-request.ts'

const sources: readonly DocumentId[] = ['html', 'header_html', 'footer_html']

/** Warnings with the place in the sources that they are about, where it can be found. */
export function problemsOfWarnings(warnings: readonly Warning[], fields: Fields): Problem[] {
  return warnings.map((warning) => {
    const { code, message } = warning
    const named = namedPlace(message)
    if (named !== undefined) return { severity: 'warning', code, ...named }
    const place = placeOf(warning, fields)
    return { severity: 'warning', code, text: message, ...(place && { place }) }
  })
}

/** Warnings of the template end with their place: `…: html, line 2, column 6`. */
function namedPlace(message: string): { text: string; place: Place } | undefined {
  const [, text, source, line, column] = /^(.*): (\w+), line (\d+), column (\d+)$/s.exec(message) ?? []
  const document = sources.find((one) => one === source)
  if (text === undefined || document === undefined) return undefined
  return { text, place: { document, line: Number(line), column: Number(column) } }
}

function placeOf({ path, message, element }: Warning, fields: Fields): Place | undefined {
  if (path !== undefined) return find(callOf(path), fields)
  if (element === 'header_html' || element === 'footer_html') return { document: element, line: 1, column: 1 }
  const [, url] = /^(\S+): /.exec(message) ?? []
  return url === undefined ? undefined : find(new RegExp(escaped(url)), fields)
}

/** A call with the path, or with the end of it: `items[2].price` is `{{price}}` in a loop. */
function callOf(path: string): RegExp {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '' && !/^\d+$/.test(key))
  const start = String.raw`\{\{(?!~?!)[^}]*?`
  const ends = keys.map((_, index) => keys.slice(index).map(escaped).join('[./]'))
  return new RegExp(`${start}(?<![\\w-])(?:${ends.join('|')})(?![\\w-])`)
}

function find(pattern: RegExp, fields: Fields): Place | undefined {
  for (const document of sources) {
    const text = documentText(fields, document)
    const found = pattern.exec(text)
    if (found === null) continue
    const before = text.slice(0, found.index).split('\n')
    return { document, line: before.length, column: (before.at(-1) ?? '').length + 1 }
  }
  return undefined
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
