import { count, formatClock, formatDuration, withLocalTimes } from '../../parts/format.ts'
import { Summary } from '../../parts/summary.tsx'
import type { Timeline } from './timeline-rows.ts'

/** Each event with the time since the request. */
export function EventLog({ timeline }: { timeline: Timeline }) {
  const { events } = timeline
  return (
    <details class="generations-events">
      <Summary>{count(events.length, 'event')}</Summary>
      <table class="plain-table generations-event-table" aria-label="Events">
        <thead>
          <tr>
            <th scope="col">After</th>
            <th scope="col">Time</th>
            <th scope="col">Event</th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ at, offset_ms, type, what }, index) => (
            <tr key={index}>
              <td>{offset_ms === 0 ? '0' : formatDuration(offset_ms)}</td>
              <td>
                <time dateTime={at}>{formatClock(at)}</time>
              </td>
              <td>
                {withLocalTimes(what)} <code>{type}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
