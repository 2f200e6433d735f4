import type { Fields } from './fields.ts'

/** A text of the template that has an editor: a field, or a set of data as `samples/<name>`. */
export type DocumentId =
  | 'html'
  | 'header_html'
  | 'footer_html'
  | 'sample_data'
  | 'data_schema'
  | 'helpers'
  | `samples/${string}`
export type Language = 'handlebars' | 'json' | 'javascript'

const setPrefix = 'samples/'

export function documentText(fields: Fields, id: DocumentId): string {
  const set = setOf(id)
  return set === undefined ? fields[id as Exclude<DocumentId, `samples/${string}`>] : (fields.samples[set] ?? '{}')
}

export function withDocument(fields: Fields, id: DocumentId, text: string): Fields {
  const set = setOf(id)
  if (set === undefined) return { ...fields, [id]: text }
  return { ...fields, samples: { ...fields.samples, [set]: text } }
}

export function languageOf(id: DocumentId): Language {
  if (id === 'helpers') return 'javascript'
  return id.endsWith('html') && !id.startsWith(setPrefix) ? 'handlebars' : 'json'
}

/** The document with the data: of the set, or `sample_data` for an empty name. */
export const dataDocument = (set: string): DocumentId => (set === '' ? 'sample_data' : `samples/${set}`)

function setOf(id: DocumentId): string | undefined {
  return id.startsWith(setPrefix) ? id.slice(setPrefix.length) : undefined
}
