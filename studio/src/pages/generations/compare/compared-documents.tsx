import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { api, type Schemas, unwrap } from '../../../api/client.ts'
import { figureOf } from '../../../parts/comparison/compared.ts'
import { ComparedPages } from '../../../parts/comparison/compared-pages.tsx'
import { ComparisonTools } from '../../../parts/comparison/comparison-tools.tsx'
import { keptComparison } from '../../../parts/comparison/kept-comparisons.ts'
import { Working } from '../../../parts/comparison/working.tsx'
import { Link } from '../../../parts/link.tsx'
import { Page } from '../../../parts/page.tsx'
import { Failure } from '../../../parts/states.tsx'
import { useResource } from '../../../parts/use-resource.ts'
import { actingOwner } from '../../../router/acting-owner.ts'
import { compareCommand } from '../curl-commands.ts'
import { CurlDialog } from '../generation-dialogs.tsx'
import { documentPictures } from './document-pictures.ts'
import { type Documents, type Ids, namesOf, TwoDocuments } from './two-documents.tsx'

type Comparison = Schemas['GenerationComparison']

/** What differs on the pages of two documents. */
export function ComparedDocuments({ ids }: { ids: Ids }) {
  const { from, to } = ids
  const isCommandShown = useSignal(false)
  const documents = useResource<Documents>(`documents ${from} ${to}`, async (signal) => {
    const read = (id: string) => unwrap(api.GET('/v1/generations/{id}', { params: { path: { id } }, signal }))
    const [older, newer] = await Promise.all([read(from), read(to)])
    return { from: older, to: newer }
  })
  const key = `generations ${JSON.stringify([actingOwner.value, from, to])}`
  const compared = useResource<Comparison>(key, (signal) => {
    const compare = (images: boolean) => {
      const params = { path: { id: from }, query: { to, images } }
      return unwrap(api.GET('/v1/generations/{id}/compare', { params, signal }))
    }
    return keptComparison(key, compare)
  })
  const { value, error, isLoading, reload } = compared
  return (
    <Page
      title="Compare documents"
      layout="wide"
      beside={<TwoDocuments ids={ids} documents={documents.value} />}
      actions={
        <Link class="button" to={`/generations/${from}/compare`}>
          Another document
        </Link>
      }
    >
      <div class="comparison-pages">
        <ComparisonTools
          figure={value && figureOf(value.pages, value.pages.filter((page) => page.to !== undefined).length)}
          onCopyAsCurl={() => {
            isCommandShown.value = true
          }}
        />
        {error !== undefined && <Failure error={error} title="The documents could not be compared" retry={reload} />}
        {error === undefined && isLoading && value === undefined && (
          <Working text="Comparing the pages of both documents…" />
        )}
        {error === undefined && value && <Shown ids={ids} documents={documents.value} compared={value} />}
      </div>
      {isCommandShown.value && (
        <CurlDialog
          commands={[{ title: 'The comparison', text: compareCommand(from, to) }]}
          onClose={() => {
            isCommandShown.value = false
          }}
        />
      )}
    </Page>
  )
}

interface ShownProps {
  ids: Ids
  documents: Documents | undefined
  compared: Comparison
}

function Shown({ ids: { from, to }, documents, compared }: ShownProps) {
  const pictures = useMemo(() => documentPictures({ from, to }), [from, to])
  useEffect(() => () => pictures.clear(), [pictures])
  return <ComparedPages pages={compared.pages} names={namesOf(documents)} pictures={pictures} />
}
