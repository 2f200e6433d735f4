import { useSignal } from '@preact/signals'
import { api, unwrap } from '../../api/client.ts'
import { mayUse } from '../../api/session-state.ts'
import { AllOwners, isOfAllOwners } from '../../parts/all-owners.tsx'
import { ArrivalsButton } from '../../parts/arrivals-button.tsx'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Filters, hasFilter, NothingFound } from '../../parts/filters/filters.tsx'
import { TextFilter } from '../../parts/filters/text-filter.tsx'
import { TimeFilter } from '../../parts/filters/time-filter.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useArrivals } from '../../parts/use-arrivals.ts'
import { useOwnerNames } from '../../parts/use-owner-names.ts'
import { pageSize, usePagedList } from '../../parts/use-paged-list.ts'
import { actingOwner } from '../../router/acting-owner.ts'
import { queryValue, setQuery } from '../../router/address.ts'
import { type Delivery, deliveryColumns, paramsOf } from './delivery-columns.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { filterNames, filterOfAddress, pathWith, queryOf } from './delivery-filter.ts'
import { RedeliverDialog } from './redeliver-dialog.tsx'

/** The webhooks of the owner, or of all owners: by state, endpoint and time. A row opens the attempts. */
export function DeliveriesPage() {
  const isRedelivering = useSignal(false)
  const filter = filterOfAddress()
  const opened = queryValue('delivery')
  const isOfAll = isOfAllOwners()
  const title = isOfAll ? 'Deliveries of all owners' : 'Deliveries'
  const key = `deliveries ${JSON.stringify([actingOwner.value, isOfAll, filter])}`
  const loadPage = (cursor: string | undefined, signal: AbortSignal) => {
    const query = { ...queryOf(filter), limit: pageSize, ...(cursor !== undefined && { cursor }) }
    return unwrap(api.GET('/v1/deliveries', { params: { query }, signal }))
  }
  const list = usePagedList<Delivery>(key, loadPage, ({ id }) => id)
  const arrivals = useArrivals({
    category: 'delivery',
    list,
    isUnfinished: ({ status }) => status === 'pending',
    stampOf: ({ status, attempts, next_attempt_at }) => `${status} ${attempts.length} ${next_attempt_at}`,
    load: (signal) => loadPage(undefined, signal),
    loadOne: async (delivery, signal) => {
      const found = await unwrap(api.GET('/v1/deliveries/{id}', { params: paramsOf(delivery), signal }))
      const { owner_id } = delivery
      return owner_id === undefined ? found : { ...found, owner_id }
    },
  })
  const owners = useOwnerNames(isOfAll)
  return (
    <Page
      title={title}
      layout="list"
      beside={<ArrivalsButton arrivals={arrivals} />}
      actions={
        <>
          {mayUse('admin') && <AllOwners />}
          {mayUse('generate') && (
            <Button
              icon="send"
              onClick={() => {
                isRedelivering.value = true
              }}
            >
              Redeliver…
            </Button>
          )}
        </>
      }
      bar={
        <>
          <Tabs
            label="State"
            name="status"
            tabs={[
              { value: '', text: 'All' },
              { value: 'pending', text: 'Pending' },
              { value: 'exhausted', text: 'Exhausted' },
              { value: 'succeeded', text: 'Succeeded' },
            ]}
          />
          <Filters names={filterNames}>
            <TextFilter
              label="Endpoint"
              name="endpoint"
              hint="A host, such as hooks.example.com, or a whole URL."
              placeholder="hooks.example.com"
            />
            <TimeFilter />
          </Filters>
        </>
      }
    >
      <Table
        key={key}
        label={title}
        list={list}
        columns={deliveryColumns(isOfAll ? owners : undefined)}
        idOf={({ id }) => id}
        linkOf={pathWith}
        empty={hasFilter(filterNames) ? <NoneFound /> : <NoDeliveries />}
      />
      {opened !== '' && (
        <DeliveryDialog
          key={opened}
          id={opened}
          owner={queryValue('of')}
          onClose={() => setQuery({ delivery: '', of: '' }, { replace: false })}
          onChange={(changed) =>
            list.update((items) => items.map((item) => (item.id === changed.id ? { ...item, ...changed } : item)))
          }
        />
      )}
      {isRedelivering.value && (
        <RedeliverDialog
          onClose={() => {
            isRedelivering.value = false
          }}
          onDone={() => void list.reload()}
        />
      )}
    </Page>
  )
}

function NoneFound() {
  return (
    <NothingFound title="No delivery matches the filters" names={filterNames}>
      Deliveries of the last 90 days are listed, and older ones that are pending.
    </NothingFound>
  )
}

function NoDeliveries() {
  const command = `curl -sS ${location.origin}/v1/generate \\
  -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' \\
  -d '{"html": "<h1>Hello</h1>", "async": true, "webhook_url": "https://hooks.example.com/platen"}'`
  return (
    <Empty icon="send" title="No deliveries yet" action={<CodeBlock text={command} label="curl command" wrap />}>
      A request with a <code>webhook_url</code> reports its document to that URL, and each report is listed here with
      its attempts.{' '}
      <a href="/docs/guides/webhooks" target="_blank" rel="noopener">
        About webhooks
      </a>
    </Empty>
  )
}
