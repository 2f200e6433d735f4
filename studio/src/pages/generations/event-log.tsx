import { count, formatClock, formatDuration } from '../../parts/format.ts'
import type { Timeline } from './timeline-rows.ts'

/** Each event with the time since the request. */
export function EventLog({ timeline }: { timeline: Timeline }) {
  const { events } = timeline
  return (
    <details class="generations-events">
      <summary>{count(events.length, 'event')}</summary>
      <table class="generations-event-table" aria-label="Events">
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
                {what} <code>{type}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
