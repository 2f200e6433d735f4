import type { ComponentChildren } from 'preact'
import type { Tone } from '../../parts/badge.tsx'
import { formatNumber, formatPercent, formatRelative } from '../../parts/format.ts'
import { Link } from '../../parts/link.tsx'
import { withOwner } from './links.ts'
import type { Status } from './use-status.ts'

interface FigureProps {
  name: string
  value: number | undefined
  /** The list that it counts. */
  to: string
  /** Of the value, if it is not zero. */
  tone?: Tone
  children?: ComponentChildren
}

/** A number that is a link to what it counts. A dash stands for one that is not known. */
function Figure({ name, value, to, tone, children }: FigureProps) {
  return (
    <Link class="home-figure" to={to}>
      <span class="home-figure-name">{name}</span>
      <span class={`home-figure-value ${value ? (tone ?? '') : ''}`}>
        {value === undefined ? '–' : formatNumber(value)}
      </span>
      <span class="home-figure-note">{children}</span>
    </Link>
  )
}

/** What is queued, is rendered, has ended in the last hour, and waits for somebody. */
export function Figures({ status }: { status: Status }) {
  const { generations, deliveries, dead_letters, queues } = status
  const { queued, rendering, last_hour } = generations
  const { completed, failed, cancelled } = last_hour
  const oldest = queues?.flatMap(({ oldest_at }) => oldest_at ?? []).sort()[0]
  return (
    <div class="home-figures">
      <Figure
        name="Queued"
        value={queued && queued.interactive + queued.batch}
        to={withOwner('/generations?status=queued', status)}
      >
        {queued && `${formatNumber(queued.interactive)} interactive, ${formatNumber(queued.batch)} batch`}
      </Figure>
      <Figure name="Rendering" value={rendering} to={withOwner('/generations?status=rendering', status)}>
        {oldest !== undefined && `the oldest requested ${formatRelative(oldest)}`}
      </Figure>
      <Figure
        name="Completed, last hour"
        value={completed}
        to={withOwner('/generations?status=completed&since=1h', status)}
      >
        {cancelled > 0 && `${formatNumber(cancelled)} cancelled`}
      </Figure>
      <Figure
        name="Failed, last hour"
        value={failed}
        tone="bad"
        to={withOwner('/generations?status=failed&since=1h', status)}
      >
        {completed + failed > 0 &&
          `${formatPercent(failed / (completed + failed))} of ${formatNumber(completed + failed)}`}
      </Figure>
      {deliveries && (
        <Figure
          name="Webhooks pending"
          value={deliveries.pending}
          to={withOwner('/deliveries?status=pending', status)}
          {...(deliveries.overdue_s > 60 && { tone: 'warn' as const })}
        >
          {deliveries.receivers_failing > 0 && `${formatNumber(deliveries.receivers_failing)} receivers fail`}
        </Figure>
      )}
      {dead_letters && (
        <Figure name="Dead letters" value={dead_letters.count} tone="bad" to="/dead-letters">
          {dead_letters.reasons[0]?.reason}
        </Figure>
      )}
    </div>
  )
}
