import { queryValue } from '../../../router/address.ts'
import { ComparedDocuments } from './compared-documents.tsx'
import { OtherDocument } from './other-document.tsx'

/** Two documents side by side. The address has both; without the second one it is chosen first. */
export function ComparePage({ params: { id = '' } }: { params: Readonly<Record<string, string>> }) {
  const to = queryValue('to')
  return to === '' ? <OtherDocument id={id} /> : <ComparedDocuments key={`${id} ${to}`} ids={{ from: id, to }} />
}
