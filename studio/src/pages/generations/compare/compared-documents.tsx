import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { api, apiUrl, type Schemas, unwrap } from '../../../api/client.ts'
import { IconButton } from '../../../parts/button.tsx'
import { capitalized, figureOf, type Names, type Which } from '../../../parts/comparison/compared.ts'
import { ComparedPages } from '../../../parts/comparison/compared-pages.tsx'
import { ComparisonTools } from '../../../parts/comparison/comparison-tools.tsx'
import { keptComparison } from '../../../parts/comparison/kept-comparisons.ts'
import { keptPictures, type Pictures } from '../../../parts/comparison/pictures.ts'
import { Working } from '../../../parts/comparison/working.tsx'
import { Link } from '../../../parts/link.tsx'
import { Page } from '../../../parts/page.tsx'
import { loadBytes } from '../../../parts/pdf/load-bytes.ts'
import type { OpenedPdf } from '../../../parts/pdf/open-pdf.ts'
import { pagePicture } from '../../../parts/pdf/page-picture.ts'
import { Failure } from '../../../parts/states.tsx'
import { Time } from '../../../parts/time.tsx'
import { useResource } from '../../../parts/use-resource.ts'
import { actingOwner } from '../../../router/acting-owner.ts'
import { navigate } from '../../../router/address.ts'
import { compareCommand } from '../curl-commands.ts'
import type { Generation } from '../generation-columns.tsx'
import { CurlDialog } from '../generation-dialogs.tsx'

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

/** Pictures of pages of two PDFs. Each is loaded when its first picture is drawn. */
function documentPictures(ids: Readonly<Record<Which, string>>): Pictures {
  const opened = new Map<Which, Promise<OpenedPdf>>()
  const ended = new AbortController()
  const open = async (of: Which): Promise<OpenedPdf> => {
    // pdf.js has half a megabyte.
    const [{ openPdf }, bytes] = await Promise.all([
      import('../../../parts/pdf/open-pdf.ts'),
      loadBytes(apiUrl(`/v1/generations/${ids[of]}/file`), ended.signal),
    ])
    return openPdf(bytes)
  }
  const documentOf = (of: Which) => {
    const known = opened.get(of) ?? open(of)
    opened.set(of, known)
    // It is tried again.
    known.catch(() => opened.delete(of))
    return known
  }
  const { draw, clear } = keptPictures(async ({ of, page, width }) => {
    const { document } = await documentOf(of)
    return pagePicture(await document.getPage(page), width)
  })
  return {
    draw,
    clear() {
      ended.abort()
      clear()
      for (const pdf of opened.values()) pdf.then((one) => one[Symbol.asyncDispose]()).catch(() => {})
    },
  }
}

type Ids = Readonly<Record<Which, string>>
type Documents = Readonly<Record<Which, Generation>>

/** By the versions of their template, if these differ. */
function namesOf(documents: Documents | undefined): Names {
  const [older, newer] = [documents?.from.template, documents?.to.template]
  if (older === undefined || newer === undefined || older.id !== newer.id || older.version === newer.version)
    return { from: 'document 1', to: 'document 2' }
  return { from: `version ${older.version}`, to: `version ${newer.version}` }
}

/** Which two documents are compared. Each is a link. */
function TwoDocuments({ ids, documents }: { ids: Ids; documents: Documents | undefined }) {
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
