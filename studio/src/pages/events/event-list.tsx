import { api, unwrap } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { hasFilter, NothingFound } from '../../parts/filters/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { pageSize, usePagedList } from '../../parts/use-paged-list.ts'
import { queryValue, setQuery } from '../../router/address.ts'
import { eventCategories, streamOf } from './event-categories.ts'
import { eventColumns, type RecordedEvent } from './event-columns.tsx'
import { eventName, filterNames, listQuery, pathWith } from './event-filter.ts'
import { EventFilters } from './event-filters.tsx'

const columns = eventColumns(false)

/** The log, or one stream, oldest first. */
export function EventList({ title }: { title: string }) {
  const key = `events ${JSON.stringify(filterNames.map(queryValue))}`
  const stream = queryValue('stream')
  const list = usePagedList<RecordedEvent>(
    key,
    (cursor, signal) => (stream === '' ? pageOfLog(cursor, signal) : pageOfStream(stream, cursor, signal)),
    eventName,
  )
  const follow = () => setQuery({ follow: 'yes', stream: '', since: '', until: '', after: '' }, { replace: false })
  return (
    <Page
      title={title}
      layout="list"
      actions={
        <Button icon="activity" onClick={follow}>
          Follow live
        </Button>
      }
      bar={<EventFilters />}
    >
      <Table
        key={key}
        label="Events"
        list={list}
        columns={columns}
        idOf={eventName}
        linkOf={pathWith}
        empty={<NoEvents isStream={stream !== ''} />}
      />
    </Page>
  )
}

function pageOfLog(cursor: string | undefined, signal: AbortSignal) {
  const query = { ...listQuery(cursor), limit: pageSize }
  return unwrap(api.GET('/v1/events', { params: { query }, signal }))
}

async function pageOfStream(text: string, cursor: string | undefined, signal: AbortSignal) {
  const path = { stream: streamOf(text, await eventCategories()) }
  const query = { limit: pageSize, ...(cursor !== undefined && { cursor }) }
  return unwrap(api.GET('/v1/streams/{stream}/events', { params: { path, query }, signal }))
}

function NoEvents({ isStream }: { isStream: boolean }) {
  const text = 'Each change of a document, a template, a key or another thing is recorded as an event.'
  if (!hasFilter(filterNames)) {
    return (
      <Empty icon="activity" title="No events yet">
        {text}
      </Empty>
    )
  }
  return (
    <NothingFound title={isStream ? 'There is no such stream' : 'No event matches the filters'} names={filterNames}>
      {text}
    </NothingFound>
  )
}
