import { queryValue, setQuery } from '../../router/address.ts'
import { EventDialog } from './event-dialog.tsx'
import { isFollowing } from './event-filter.ts'
import { EventList } from './event-list.tsx'
import { NewEvents } from './new-events.tsx'

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
