import { ApiError } from '../../../api/api-error.ts'
import { textOf as sentenceOf } from '../../../parts/use-action.ts'
import { type DocumentId, partialDocument } from './documents.ts'
import { placeOfPath } from './place-of-path.ts'

/** An error or a warning about the template, with its place in a document if it is known. */
export interface Problem {
  severity: 'error' | 'warning'
  text: string
  /** The code of the API. */
  code?: string
  place?: Place
  /** The field of the request, and what is wrong with it. */
  path?: string
  detail?: string
  /** Of a missing value: its path in the data. */
  missing?: string
  /** Of a warning: the page of the preview that it is about. */
  page?: number
}

export interface Place {
  document: DocumentId
  /** From 1. */
  line: number
  column: number
}

const fields = ['html', 'header_html', 'footer_html', 'helpers', 'sample_data', 'data_schema', 'translations']

/**
 * What the API says about a request with the template. `dataDocument`: where the data of the request are edited. `textOf`: the text of a
 * document.
 */
export function problemsOf(error: unknown, dataDocument: DocumentId, textOf: (id: DocumentId) => string): Problem[] {
  if (!(error instanceof ApiError)) return [{ severity: 'error', text: sentenceOf(error) }]
  const { code, details, problems } = error
  if (problems.length > 0) {
    return problems.map(({ path, message }) => {
      const [first = ''] = path.split(/[.[]/)
      const document = first === 'data' ? dataDocument : documentOf(path.replace(/^options\./, '').split('.')[0] ?? '')
      const shared = { severity: 'error' as const, code, path, detail: message, text: `${path} ${message}` }
      if (document === undefined) return shared
      const isData = first === 'data' || first === 'sample_data'
      const place = isData ? placeOfPath(textOf(document), path.slice(first.length)) : { line: 1, column: 1 }
      return { ...shared, place: { document, ...place } }
    })
  }
  const place = placeOf(details)
  // The place is shown beside the text.
  const text = place === undefined ? error.message : error.message.replace(/^[^:]*, line \d+, column \d+: /, '')
  return [{ severity: 'error', code, text, ...(place && { place }) }]
}

/** The document of a source, as the API names it: `html`, `partial "letterhead"`. */
export function documentOf(source: string): DocumentId | undefined {
  const [, partial] = /^partial "(.*)"$/.exec(source) ?? []
  if (partial !== undefined) return partialDocument(partial)
  return fields.includes(source) ? (source as DocumentId) : undefined
}

function placeOf(details: unknown): Place | undefined {
  if (typeof details !== 'object' || details === null) return undefined
  const { source, line = 1, column = 1 } = details as { source?: unknown; line?: unknown; column?: unknown }
  const document = documentOf(String(source).replace(/^options\./, ''))
  return document && { document, line: Number(line), column: Number(column) }
}
