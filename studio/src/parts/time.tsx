import { formatExactTime, formatRelative, formatTime } from './format.ts'

interface TimeProps {
  /** ISO 8601. */
  at: string
  /** Shows how long ago it was. Default: the day and the minute. */
  relative?: boolean
}

/** A time. The pointer shows it with the second and the time zone. */
export function Time({ at, relative = false }: TimeProps) {
  return (
    <time class="time" dateTime={at} title={formatExactTime(at)}>
      {relative ? formatRelative(at) : formatTime(at)}
    </time>
  )
}
