import { type DocumentId, documentText } from '../model/documents.ts'
import type { Fields } from '../model/fields.ts'
import { documentOf, type Place, type Problem } from '../model/problem.ts'
import type { Warning } from './preview-request.ts'

const sources: readonly DocumentId[] = ['html', 'header_html', 'footer_html']

/** Warnings with the place in the sources that they are about, where it can be found. */
export function problemsOfWarnings(warnings: readonly Warning[], fields: Fields): Problem[] {
  return warnings.map((warning) => {
    const { code, message, page, path } = warning
    const place = placeOf(warning, fields)
    // Warnings of the template end with their place, which is shown beside the text.
    const text = place && message.replace(/: (\w+|partial "[^"]*"), line \d+, column \d+$/, '')
    const shared = { severity: 'warning' as const, code, text: text ?? message }
    const missing = code === 'MISSING_VALUE' && path !== undefined && { missing: path }
    return { ...shared, ...(place && { place }), ...missing, ...(page !== undefined && { page }) }
  })
}

function placeOf({ message, element, source, line, column = 1 }: Warning, fields: Fields): Place | undefined {
  const document = source === undefined ? undefined : documentOf(source)
  if (document !== undefined && line !== undefined) return { document, line, column }
  if (element === 'header_html' || element === 'footer_html') return { document: element, line: 1, column: 1 }
  const [, url] = /^(\S+): /.exec(message) ?? []
  return url === undefined ? undefined : find(url, fields)
}

/** The first place with the text. */
function find(wanted: string, fields: Fields): Place | undefined {
  for (const document of sources) {
    const text = documentText(fields, document)
    const at = text.indexOf(wanted)
    if (at === -1) continue
    const before = text.slice(0, at).split('\n')
    return { document, line: before.length, column: (before.at(-1) ?? '').length + 1 }
  }
  return undefined
}
