import { api, unwrap } from '../../api/client.ts'
import { currentSession } from '../../api/session-state.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../parts/dialog.tsx'
import { formatBytes, formatNumber } from '../../parts/format.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded, Notice } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useResource } from '../../parts/use-resource.ts'
import type { Act } from './act-on-many.ts'
import type { Letter } from './letter-columns.tsx'

interface LetterDialogProps {
  id: string
  owners: ReadonlyMap<string, string>
  onClose(): void
  onAct(act: Act): void
}

/** A message that could not be handled: why, how often it was tried, and its body. */
export function LetterDialog({ id, owners, onClose, onAct }: LetterDialogProps) {
  const letter = useResource(`dead letter ${id}`, (signal) =>
    unwrap(api.GET('/v1/dead-letters/{id}', { params: { path: { id } }, signal })),
  )
  const isThere = letter.value !== undefined
  return (
    <Dialog title="Dead letter" size="wide" onClose={onClose}>
      <DialogBody>
        <Loaded resource={letter} failure="The dead letter could not be loaded">
          {(loaded) => (
            <>
              <Notice tone="warn">{loaded.reason}</Notice>
              <Facts letter={loaded} owners={owners} />
              <Body letter={loaded} />
            </>
          )}
        </Loaded>
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button tone="danger" icon="trash-2" disabled={!isThere} onClick={() => onAct('drop')}>
          Drop…
        </Button>
        <Button tone="primary" icon="rotate-cw" disabled={!isThere} onClick={() => onAct('retry')}>
          Retry…
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Facts({ letter, owners }: { letter: Letter; owners: ReadonlyMap<string, string> }) {
  const { id, subject, owner_id, generation_id, retried_as, at, attempts, bytes } = letter
  const isOther = owner_id !== undefined && owner_id !== currentSession().owner.id
  const linkTo = (generation: string) => (
    <Link to={`/generations/${generation}${isOther ? `?owner=${owner_id}` : ''}`}>{generation}</Link>
  )
  return (
    <dl class="facts">
      <dt>Id</dt>
      <dd>
        <Copyable text={id} label="Copy id" />
      </dd>
      <dt>Subject</dt>
      <dd>
        <Copyable text={subject} label="Copy subject" />
      </dd>
      {owner_id !== undefined && (
        <>
          <dt>Owner</dt>
          <dd>{owners.get(owner_id) ?? <code>{owner_id}</code>}</dd>
        </>
      )}
      {generation_id !== undefined && (
        <>
          <dt>Document</dt>
          <dd>{linkTo(generation_id)}</dd>
        </>
      )}
      {retried_as !== undefined && (
        <>
          <dt>Rendered again</dt>
          <dd>{linkTo(retried_as)}</dd>
        </>
      )}
      <dt>Given up</dt>
      <dd>
        <Time at={at} />
      </dd>
      <dt>Attempts</dt>
      <dd>{formatNumber(attempts)}</dd>
      <dt>Size</dt>
      <dd>{formatBytes(bytes)}</dd>
    </dl>
  )
}

/** JSON as a tree; what is none, or is cut, as text. */
function Body({ letter: { body = '', body_truncated = false } }: { letter: Letter }) {
  const value = body_truncated ? undefined : parsed(body)
  return (
    <>
      {value === undefined ? (
        <CodeBlock text={body} label="body" wrap />
      ) : (
        <JsonView value={value} label="body" openTo={3} />
      )}
      {body_truncated && <Notice tone="info">These are the first 64 KiB of the body.</Notice>}
    </>
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
