import type { DocumentId } from './documents.ts'

/** The tab that shows a document. */
export function tabOf(document: DocumentId): string {
  switch (document) {
    case 'html':
      return ''
    case 'header_html':
      return 'header'
    case 'footer_html':
      return 'footer'
    case 'data_schema':
      return 'schema'
    case 'helpers':
      return 'helpers'
    default:
      return 'data'
  }
}
