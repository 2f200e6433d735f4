import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { formatNumber } from '../../parts/format.ts'
import { Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { queryValue, setQuery } from '../../router/address.ts'
import { eventColumns } from './event-columns.tsx'
import { EventDialog } from './event-dialog.tsx'
import { eventName, followQuery, isFollowing, pathWith } from './event-filter.ts'
import { EventFilters } from './event-filters.tsx'
import { EventList } from './event-list.tsx'
import { useNewEvents } from './use-new-events.ts'

const columns = eventColumns(true)

/** The events that are recorded while one looks, newest first. */
function NewEvents({ title }: { title: string }) {
  const { list, state, isPaused, waiting, pause, resume } = useNewEvents(followQuery())
  return (
    <Page
      title={title}
      layout="list"
      beside={
        <Badge tone={isPaused || state === 'lost' ? 'warn' : 'run'}>
          {isPaused ? 'paused' : state === 'open' ? 'live' : state === 'lost' ? 'connection lost' : 'connecting'}
        </Badge>
      }
      actions={
        <>
          {isPaused ? (
            <Button icon="play" onClick={resume}>
              {waiting === 0 ? 'Resume' : `Resume, ${formatNumber(waiting)} new`}
            </Button>
          ) : (
            <Button icon="pause" onClick={pause}>
              Pause
            </Button>
          )}
          <Button icon="square" onClick={() => setQuery({ follow: '' }, { replace: false })}>
            Stop following
          </Button>
        </>
      }
      bar={<EventFilters />}
    >
      <Table
        label="New events"
        list={list}
        columns={columns}
        idOf={eventName}
        linkOf={pathWith}
        empty={
          <Empty icon="activity" title="Waiting for events">
            What is recorded from now on appears here, the newest first. The last 500 are kept.
          </Empty>
        }
      />
    </Page>
  )
}

/** The events of all owners: the log, one stream, or what is recorded while one looks. A row opens the event. */
export function EventsPage() {
  const opened = queryValue('event')
  const title = 'Events of all owners'
  return (
    <>
      {isFollowing() ? <NewEvents title={title} /> : <EventList title={title} />}
      {opened !== '' && (
        <EventDialog key={opened} name={opened} onClose={() => setQuery({ event: '' }, { replace: false })} />
      )}
    </>
  )
}
