import type { Schemas } from '../../api/client.ts'
import { formatClock, formatExactTime, withLocalTimes } from '../../parts/format.ts'
import type { Column } from '../../parts/table-column.ts'
import { Time } from '../../parts/time.tsx'

export type RecordedEvent = Schemas['RecordedEvent']

/** The columns of the log. Of new events, the time of the day is shown. */
export function eventColumns(isNew: boolean): Column<RecordedEvent>[] {
  return [
    { id: 'what', header: 'Event', cell: ({ what }) => withLocalTimes(what) },
    { id: 'type', header: 'Type', width: '13rem', cell: ({ type }) => <code class="secondary">{type}</code> },
    { id: 'stream', header: 'Stream', isWide: true, cell: ({ stream }) => <code class="secondary">{stream}</code> },
    {
      id: 'recorded',
      header: 'Recorded',
      width: '8rem',
      cell: ({ recorded_at: at }) =>
        isNew ? (
          <time class="time" dateTime={at} title={formatExactTime(at)}>
            {formatClock(at)}
          </time>
        ) : (
          <Time at={at} />
        ),
    },
  ]
}
