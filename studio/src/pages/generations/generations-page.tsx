import { api, unwrap } from '../../api/client.ts'
import { currentSession, mayUse } from '../../api/session-state.ts'
import { AllOwners, isOfAllOwners } from '../../parts/all-owners.tsx'
import { ArrivalsButton } from '../../parts/arrivals-button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { hasFilter, NothingFound } from '../../parts/filters/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { useArrivals } from '../../parts/use-arrivals.ts'
import { useOwnerNames } from '../../parts/use-owner-names.ts'
import { pageSize, usePagedList } from '../../parts/use-paged-list.ts'
import { actingOwner } from '../../router/acting-owner.ts'
import { type Generation, generationColumns } from './generation-columns.tsx'
import { filterNames, filterOfAddress, queryOf } from './generation-filter.ts'
import { GenerationFilters } from './generation-filters.tsx'

/** The generations of the owner, or of all owners: filters, and what arrives. A row opens the generation. */
export function GenerationsPage() {
  const filter = filterOfAddress()
  const isOfAll = isOfAllOwners()
  const key = `generations ${JSON.stringify([actingOwner.value, isOfAll, filter])}`
  const loadPage = (cursor: string | undefined, signal: AbortSignal) => {
    const query = { ...queryOf(filter), limit: pageSize, ...(cursor !== undefined && { cursor }) }
    return unwrap(api.GET('/v1/generations', { params: { query }, signal }))
  }
  const list = usePagedList<Generation>(key, loadPage, ({ id }) => id)
  const arrivals = useArrivals({
    category: 'generation',
    list,
    isUnfinished: ({ status }) => status === 'queued' || status === 'rendering',
    stampOf: ({ status, erased_at = '' }) => `${status} ${erased_at}`,
    load: (signal) => loadPage(undefined, signal),
    loadOne: async ({ id, owner_id: owner }, signal) => {
      const params = { path: { id }, query: owner === undefined ? {} : { owner } }
      const found = await unwrap(api.GET('/v1/generations/{id}', { params, signal }))
      return owner === undefined ? found : { ...found, owner_id: owner }
    },
  })
  const owners = useOwnerNames(isOfAll)
  return (
    <Page
      title={isOfAll ? 'Generations of all owners' : 'Generations'}
      layout="list"
      beside={<ArrivalsButton arrivals={arrivals} />}
      actions={mayUse('admin') && <AllOwners clears={['key']} />}
      bar={<GenerationFilters />}
    >
      <Table
        key={key}
        label={isOfAll ? 'Generations of all owners' : 'Generations'}
        list={list}
        columns={generationColumns(isOfAll ? owners : undefined)}
        idOf={({ id }) => id}
        linkOf={pathOf}
        empty={hasFilter(filterNames) ? <NoneFound /> : <NoGenerations />}
      />
    </Page>
  )
}

/** The page of a generation of another owner names the owner. */
function pathOf({ id, owner_id }: Generation): string {
  const isOther = owner_id !== undefined && owner_id !== currentSession().owner.id
  return `/generations/${id}${isOther ? `?owner=${owner_id}` : ''}`
}

function NoneFound() {
  return (
    <NothingFound title="No generation matches the filters" names={filterNames}>
      The search looks for a part of the file name, or for the beginning of an id.
    </NothingFound>
  )
}

function NoGenerations() {
  const command = `curl -sS ${location.origin}/v1/generate -o hello.pdf \\
  -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' -H 'Accept: application/pdf' \\
  -d '{"html": "<h1>Hello, {{name}}!</h1>", "data": {"name": "world"}}'`
  return (
    <Empty icon="printer" title="No generations yet" action={<CodeBlock text={command} label="curl command" wrap />}>
      Each document that is requested is listed here as soon as it is accepted. Request a first one:
    </Empty>
  )
}
