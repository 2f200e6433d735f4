import { count, formatNumber } from '../../parts/format.ts'
import { Link } from '../../parts/link.tsx'
import { Notice } from '../../parts/states.tsx'
import type { Act, Counted, Outcome } from './act-on-many.ts'

interface OutcomeProps {
  act: Act
  outcome: Outcome
  total: Counted | undefined
  isRunning: boolean
}

/** Of many reasons, so many are shown. */
const mostReasons = 20

/** How far it is, then what was done, and what is still a dead letter, by reason. */
export function OutcomeView({ act, outcome: { done, kept }, total, isRunning }: OutcomeProps) {
  const reached = done.length + kept.size
  const of = total?.isAll === true ? ` of ${formatNumber(total.count)}` : ''
  const reasons = Object.entries(Object.groupBy(kept, ([, reason]) => reason))
  const documents = done.filter(({ generation_id }) => generation_id !== undefined)
  return (
    <>
      <div aria-live="polite">
        {isRunning ? (
          <p>{`${formatNumber(reached)}${of} …`}</p>
        ) : (
          <p>
            <b>{count(done.length, 'dead letter')}</b>{' '}
            {`${done.length === 1 ? 'was' : 'were'} ${act === 'retry' ? 'sent again' : 'removed'}.`}
            {kept.size > 0 && ` ${formatNumber(kept.size)} ${kept.size === 1 ? 'was' : 'were'} not:`}
          </p>
        )}
      </div>
      {isRunning && total?.isAll === true && (
        <progress class="dead-letters-progress" max={total.count} value={reached} aria-label="Progress" />
      )}
      {documents.length > 0 && documents.length < 6 && (
        <ul class="dead-letters-list">
          {documents.map(({ id, generation_id }) => (
            <li key={id}>
              Rendered as <Link to={`/generations/${generation_id}`}>{generation_id}</Link>
            </li>
          ))}
        </ul>
      )}
      {reasons.slice(0, mostReasons).map(([reason, letters = []]) => (
        <Notice key={reason} tone="warn">
          {letters.length > 1 && <b>{`${formatNumber(letters.length)} × `}</b>}
          {reason}
        </Notice>
      ))}
      {reasons.length > mostReasons && <p>{`And ${formatNumber(reasons.length - mostReasons)} other reasons.`}</p>}
    </>
  )
}
