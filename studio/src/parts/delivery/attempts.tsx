import type { Schemas } from '../../api/client.ts'
import { Badge } from '../badge.tsx'
import { CodeBlock } from '../code-block.tsx'
import { formatDuration } from '../format.ts'
import { Summary } from '../summary.tsx'
import { Time } from '../time.tsx'

type Attempt = Schemas['Delivery']['attempts'][number]

/** The attempts of a webhook, newest first, with the beginning of each answer. That of the newest failure is open. */
export function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p class="delivery-none">No attempt yet.</p>
  const newest = attempts.at(-1)
  return (
    <ol class="delivery-attempts" aria-label="Attempts">
      {attempts.toReversed().map((attempt) => (
        <AttemptRow key={attempt.at} attempt={attempt} isOpen={attempt === newest && !isSuccess(attempt)} />
      ))}
    </ol>
  )
}

export const isSuccess = ({ status = 0 }: Attempt): boolean => status >= 200 && status < 300

function AttemptRow({ attempt, isOpen }: { attempt: Attempt; isOpen: boolean }) {
  const { attempt: number, at, duration_ms, response } = attempt
  const line = (
    <>
      <span class="delivery-number">{number}</span>
      <AttemptBadge attempt={attempt} />
      <Time at={at} />
      <span class="delivery-duration">{formatDuration(duration_ms)}</span>
    </>
  )
  const text = response ?? attempt.error
  return (
    <li>
      {text === undefined || text === '' ? (
        <div class="delivery-line">
          <span />
          {line}
        </div>
      ) : (
        <details open={isOpen}>
          <Summary class="delivery-line">{line}</Summary>
          <CodeBlock text={text} label={response === undefined ? 'error' : 'answer of the receiver'} wrap />
        </details>
      )}
    </li>
  )
}

/** The status of the answer, or that there was none. */
export function AttemptBadge({ attempt }: { attempt: Attempt }) {
  const { status } = attempt
  if (status === undefined) return <Badge tone="bad">no answer</Badge>
  return <Badge tone={isSuccess(attempt) ? 'ok' : 'bad'}>{`HTTP ${status}`}</Badge>
}
