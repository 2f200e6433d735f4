import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../parts/dialog.tsx'
import { count, formatNumber } from '../../parts/format.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded, Notice } from '../../parts/states.tsx'
import { textOf, useAction } from '../../parts/use-action.ts'
import { useResource } from '../../parts/use-resource.ts'
import { type Act, actOnLetters, type Choice, type Counted, countLetters, type Outcome } from './act-on-many.ts'
import { wordsOf } from './letter-filter.ts'

interface OutcomeProps {
  act: Act
  outcome: Outcome
  total: Counted | undefined
  isRunning: boolean
}

/** Of many reasons, so many are shown. */
const mostReasons = 20

/** How far it is, then what was done, and what is still a dead letter, by reason. */
function OutcomeView({ act, outcome: { done, kept }, total, isRunning }: OutcomeProps) {
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

interface ActDialogProps {
  act: Act
  choice: Choice
  /** `hasActed`: the list is another one now. */
  onClose(hasActed: boolean): void
}

const nameOf = { retry: 'Retry', drop: 'Drop' } as const
const nothing: Outcome = { done: [], kept: new Map() }

/** Counts the dead letters first, then sends them again or removes them, and says what became of them. */
export function ActDialog({ act, choice, onClose }: ActDialogProps) {
  const counted = useResource(`${act} ${JSON.stringify(choice)}`, (signal) => countLetters(act, choice, signal))
  const action = useAction()
  const outcome = useSignal<Outcome | undefined>(undefined)
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const start = async ({ choice: fixed }: Counted) => {
    outcome.value = nothing
    const { signal } = stop.current
    await action.run(() =>
      actOnLetters(act, fixed, {
        signal,
        onProgress: (soFar) => {
          outcome.value = soFar
        },
      }),
    )
  }
  const { value } = counted
  const close = () => onClose(outcome.value !== undefined)
  const name = nameOf[act]
  return (
    <Dialog title={`${name} dead letters`} keepsOpen={action.busy} onClose={close}>
      <DialogBody>
        {outcome.value === undefined ? (
          <Loaded resource={counted} failure="The dead letters could not be counted">
            {(found) => <Question act={act} counted={found} words={'filter' in choice ? wordsOf(choice.filter) : ''} />}
          </Loaded>
        ) : (
          <OutcomeView act={act} outcome={outcome.value} total={value} isRunning={action.busy} />
        )}
        {action.error !== undefined && <Notice tone="bad">{textOf(action.error)}</Notice>}
      </DialogBody>
      <DialogActions>
        {outcome.value === undefined ? (
          <>
            <Button autofocus onClick={close}>
              Cancel
            </Button>
            <Button
              tone={act === 'drop' ? 'danger' : 'primary'}
              disabled={value === undefined || value.count === 0}
              onClick={() => value && void start(value)}
            >
              {value === undefined ? name : `${name} ${countOf(value)}`}
            </Button>
          </>
        ) : action.busy ? (
          <Button icon="square" onClick={() => stop.current.abort()}>
            Stop
          </Button>
        ) : (
          <Button tone="primary" onClick={close}>
            Close
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

const countOf = ({ count: value, isAll }: Counted) =>
  isAll ? count(value, 'dead letter') : `more than ${formatNumber(value)} dead letters`

function Question({ act, counted, words }: { act: Act; counted: Counted; words: string }) {
  if (counted.count === 0) return <p>No dead letter {words}. Nothing would be done.</p>
  return (
    <>
      <p>
        <b>
          {nameOf[act]} {countOf(counted)}
        </b>
        {words !== '' && ` ${words}`}?
      </p>
      <p>
        {act === 'retry'
          ? 'Each message is sent again, and its dead letter is removed when it was executed. A document is rendered as a new generation; its dead letter is removed when that has ended, and stays if it fails. What is refused stays a dead letter.'
          : 'They are removed for good. What the messages should have done is not done.'}
      </p>
    </>
  )
}
