import { IconButton } from '../../../parts/button.tsx'
import { capitalized, type Names, type Which } from '../../../parts/comparison/compared.ts'
import { Link } from '../../../parts/link.tsx'
import { Time } from '../../../parts/time.tsx'
import { navigate } from '../../../router/address.ts'
import type { Generation } from '../generation-columns.tsx'

export type Ids = Readonly<Record<Which, string>>
export type Documents = Readonly<Record<Which, Generation>>

/** By the versions of their template, if these differ. */
export function namesOf(documents: Documents | undefined): Names {
  const [older, newer] = [documents?.from.template, documents?.to.template]
  if (older === undefined || newer === undefined || older.id !== newer.id || older.version === newer.version)
    return { from: 'document 1', to: 'document 2' }
  return { from: `version ${older.version}`, to: `version ${newer.version}` }
}

/** Which two documents are compared. Each is a link. */
export function TwoDocuments({ ids, documents }: { ids: Ids; documents: Documents | undefined }) {
  const names = namesOf(documents)
  const link = (which: Which) => (
    <span class="generations-compared">
      <Link to={`/generations/${ids[which]}`} title={ids[which]}>
        {capitalized(names[which])}
      </Link>
      {documents !== undefined && <Time at={documents[which].created_at} />}
    </span>
  )
  return (
    <>
      {link('from')}
      <IconButton
        icon="arrow-left-right"
        label="Swap the documents"
        onClick={() => void navigate(`/generations/${ids.to}/compare?to=${ids.from}`)}
      />
      {link('to')}
    </>
  )
}
