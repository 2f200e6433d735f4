import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { formatDuration } from '../../parts/format.ts'
import { type Axis, timelineAxis } from './timeline-axis.ts'
import { type Row, type Timeline, timelineRows } from './timeline-rows.ts'

const percent = (share: number) => `${(share * 100).toFixed(3)}%`
const redrawMs = 100

/** The way of a generation from its request to its webhook, on one axis. What goes on grows. */
export function TimelineView({ timeline }: { timeline: Timeline }) {
  const nowMs = useNow(timeline)
  const rows = timelineRows(timeline, nowMs)
  const axis = timelineAxis(rows)
  return (
    <div class="generations-timeline">
      <TimelineScale axis={axis} />
      <ol aria-label="Timeline">
        {rows.map((row) => (
          <TimelineRow key={row.key} row={row} axis={axis} />
        ))}
      </ol>
    </div>
  )
}

/** The time since the request, by the clock of the server as far as the last answer tells it. */
function useNow(timeline: Timeline): number {
  const isOpen = timeline.spans.some(({ duration_ms }) => duration_ms === undefined)
  const now = useSignal(Date.now())
  useEffect(() => {
    if (!isOpen) return
    const timer = setInterval(() => {
      now.value = Date.now()
    }, redrawMs)
    return () => clearInterval(timer)
  }, [isOpen])
  return Math.max(0, now.value - Date.parse(timeline.accepted_at))
}

function TimelineScale({ axis }: { axis: Axis }) {
  return (
    <div class="generations-scale" aria-hidden="true">
      {axis.ticks.map(({ at, ms }) => (
        <span key={`${at}`} style={{ left: percent(at) }}>
          {ms === 0 ? '0' : formatDuration(ms)}
        </span>
      ))}
      {axis.segments.map(
        ({ kind, startMs, endMs, from, to }) =>
          kind === 'gap' && (
            <span key={`${from}`} class="generations-pause" style={{ left: percent((from + to) / 2) }}>
              {formatDuration(endMs - startMs)}
            </span>
          ),
      )}
    </div>
  )
}

function TimelineRow({ row, axis }: { row: Row; axis: Axis }) {
  const { name, detail, kind, tone, startMs, endMs, isRunning } = row
  const [from, to] = [axis.placeOf(startMs), axis.placeOf(endMs)]
  return (
    <li class="generations-row" data-kind={kind}>
      <span class="generations-row-name">
        {name}
        {detail !== '' && <small title={detail}>{detail}</small>}
      </span>
      <span class="generations-track">
        {axis.ticks.map(({ at }) => (
          <i key={`${at}`} class="generations-line" style={{ left: percent(at) }} />
        ))}
        {axis.segments.map(
          (segment) =>
            segment.kind === 'gap' && (
              <i
                key={`${segment.from}`}
                class="generations-gap"
                title={`Nothing for ${formatDuration(segment.endMs - segment.startMs)}`}
                style={{ left: percent(segment.from), width: percent(segment.to - segment.from) }}
              />
            ),
        )}
        <i
          class={`generations-bar ${tone}`}
          data-running={isRunning || undefined}
          style={{ left: percent(from), width: percent(to - from) }}
        />
      </span>
      <span class="generations-row-time">
        <span class="visually-hidden">{`${tone === 'bad' ? 'failed, ' : ''}began after ${formatDuration(startMs)}, took `}</span>
        {formatDuration(endMs - startMs)}
      </span>
    </li>
  )
}
