import { type DocumentId, dataDocument, partialDocument, partialOf } from './documents.ts'

const tabs: Readonly<Record<string, string>> = {
  html: '',
  header_html: 'header',
  footer_html: 'footer',
  data_schema: 'schema',
  translations: 'translations',
  helpers: 'helpers',
}
const partialPrefix = 'partial:'

/** The tab that shows a document. */
export function tabOf(document: DocumentId): string {
  const partial = partialOf(document)
  return partial === undefined ? (tabs[document] ?? 'data') : partialPrefix + partial
}

/** The name of the partial that a tab shows. */
export const partialOfTab = (tab: string): string | undefined =>
  tab.startsWith(partialPrefix) ? tab.slice(partialPrefix.length) : undefined

/** The document that a tab shows. `set`: the set of data that is chosen. */
export function documentOfTab(tab: string, set: string): DocumentId {
  const partial = partialOfTab(tab)
  if (partial !== undefined) return partialDocument(partial)
  if (tab === 'data') return dataDocument(set)
  return (Object.keys(tabs).find((document) => tabs[document] === tab) as DocumentId | undefined) ?? 'html'
}
