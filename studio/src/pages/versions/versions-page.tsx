import { useEffect } from 'preact/hooks'
import { api, unwrap } from '../../api/client.ts'
import type { PagedList } from '../../api/paged-list.ts'
import { Button } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { pageSize, usePagedList } from '../../parts/use-paged-list.ts'
import { useResource } from '../../parts/use-resource.ts'
import { actingOwner } from '../../router/acting-owner.ts'
import { queryValue, setQuery } from '../../router/address.ts'
import { chosenVersions } from './chosen-versions.ts'
import { readTemplate } from './read-template.ts'
import type { Version, VersionedTemplate } from './resources.ts'
import { Review } from './review.tsx'

/** The versions of a template, and what differs between two of them. */
export function VersionsPage({ params: { id = '' } }: { params: Readonly<Record<string, string>> }) {
  const template = useResource<VersionedTemplate>(`template ${id}`, (signal) => readTemplate(id, signal))
  const { value } = template
  if (value === undefined) {
    return (
      <Page title="Versions">
        {template.error === undefined ? (
          <Loading />
        ) : (
          <Failure error={template.error} title="The template could not be loaded" retry={template.reload} />
        )}
      </Page>
    )
  }
  return <VersionsOf template={value} onChanged={template.reload} />
}

function VersionsOf({ template, onChanged }: { template: VersionedTemplate; onChanged(): void }) {
  const { id } = template
  const list = usePagedList<Version>(
    `versions ${JSON.stringify([actingOwner.value, id])}`,
    (cursor, signal) => {
      const query = { limit: pageSize, ...(cursor !== undefined && { cursor }) }
      return unwrap(api.GET('/v1/templates/{idOrSlug}/versions', { params: { path: { idOrSlug: id }, query }, signal }))
    },
    ({ version }) => String(version),
  )
  const asked = { from: queryValue('from'), to: queryValue('to') }
  const chosen = chosenVersions(asked, { template, versions: list.items.value })
  if (chosen.kind === 'unknown-label') {
    return (
      <Page title={`Versions of ${template.name}`}>
        <Empty
          icon="tag"
          title={`No version has the label “${chosen.label}”`}
          action={<Button onClick={() => setQuery({ from: '', to: '' })}>Compare the newest version</Button>}
        >
          It may have been removed.
        </Empty>
      </Page>
    )
  }
  if (chosen.kind === 'single' && list.items.value.length <= 1) {
    return (
      <Page title={`Versions of ${template.name}`}>
        <Empty
          icon="history"
          title="There is one version"
          action={
            <Link class="button" to={`/templates/${id}`}>
              Open the editor
            </Link>
          }
        >
          Each change that is saved makes another one. Then you see here what it changes on the pages of the document.
        </Empty>
      </Page>
    )
  }
  const { from, to } = chosen
  return <PairOf key={id} template={template} list={list} from={from} to={to} onChanged={onChanged} />
}

interface PairProps {
  template: VersionedTemplate
  list: PagedList<Version>
  from: number
  to: number
  onChanged(): void
}

function PairOf({ template, list, from, to, onChanged }: PairProps) {
  const isListed = list.items.value.length > 0
  // What is sent to a colleague shows the same versions tomorrow.
  useEffect(() => {
    if (isListed) setQuery({ from: String(from), to: String(to) })
  }, [isListed, from, to])
  return (
    <Review
      template={template}
      list={list}
      from={from}
      to={to}
      onChanged={() => {
        onChanged()
        void list.reload()
      }}
    />
  )
}
