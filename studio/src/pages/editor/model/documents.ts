import type { Language } from '../../../parts/code/languages.ts'
import type { FieldName, Fields } from './fields.ts'

/** A text that has an editor: a field of the template, a set of data as `samples/<name>`, or a partial as `partials/<name>`. */
export type DocumentId =
  | 'html'
  | 'header_html'
  | 'footer_html'
  | 'sample_data'
  | 'data_schema'
  | 'translations'
  | 'helpers'
  | `samples/${string}`
  | `partials/${string}`

type FieldDocument = Exclude<DocumentId, `${string}/${string}`>

export function documentText(fields: Fields, id: DocumentId): string {
  const [set, partial] = [setOf(id), partialOf(id)]
  if (partial !== undefined) return fields.partials[partial]?.html ?? ''
  return set === undefined ? fields[id as FieldDocument] : (fields.samples[set] ?? '{}')
}

export function withDocument(fields: Fields, id: DocumentId, text: string): Fields {
  const [set, partial] = [setOf(id), partialOf(id)]
  if (set !== undefined) return { ...fields, samples: { ...fields.samples, [set]: text } }
  if (partial === undefined) return { ...fields, [id]: text }
  const { version = 0 } = fields.partials[partial] ?? {}
  return { ...fields, partials: { ...fields.partials, [partial]: { html: text, version } } }
}

/** The language of a document or a field. */
export function languageOf(id: DocumentId | FieldName): Language {
  if (id === 'helpers') return 'javascript'
  const isHtml = id === 'html' || id === 'header_html' || id === 'footer_html' || partialOf(id) !== undefined
  return isHtml ? 'handlebars' : 'json'
}

/** The document with the data: of the set, or `sample_data` for an empty name. */
export const dataDocument = (set: string): DocumentId => (set === '' ? 'sample_data' : `samples/${set}`)

export const partialDocument = (name: string): DocumentId => `partials/${name}`

export const setOf = (id: DocumentId) => after('samples/', id)
export const partialOf = (id: DocumentId | FieldName) => after('partials/', id)

function after(prefix: string, text: string): string | undefined {
  return text.startsWith(prefix) ? text.slice(prefix.length) : undefined
}
