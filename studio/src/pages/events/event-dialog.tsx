import { api, unwrap } from '../../api/client.ts'
import { currentSession } from '../../api/session-state.ts'
import { Button } from '../../parts/button.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../parts/dialog.tsx'
import { formatExactTime, withLocalTimes } from '../../parts/format.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useResource } from '../../parts/use-resource.ts'
import type { RecordedEvent } from './event-columns.tsx'
import { pathOf } from './event-filter.ts'

/** One event with all of its data. `name` is as the address has it: `generation-pdf_…/2`. */
export function EventDialog({ name, onClose }: { name: string; onClose(): void }) {
  const slash = name.lastIndexOf('/')
  const [stream, revision] = [name.slice(0, slash), name.slice(slash + 1)]
  const event = useResource(`event ${name}`, (signal) => oneEvent(stream, revision, signal))
  // The first event of a stream says whose it is.
  const first = useResource(`first event ${stream}`, (signal) => oneEvent(stream, '0', signal))
  return (
    <Dialog title={event.value?.type ?? 'Event'} size="wide" onClose={onClose}>
      <DialogBody>
        <Loaded resource={event} failure="The event could not be loaded">
          {(loaded) => (
            <>
              <Facts event={loaded} owner={ownerOf(first.value)} />
              <JsonView value={loaded.data ?? {}} label="data" openTo={3} />
            </>
          )}
        </Loaded>
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

function oneEvent(stream: string, revision: string, signal: AbortSignal): Promise<RecordedEvent> {
  return unwrap(api.GET('/v1/streams/{stream}/events/{revision}', { params: { path: { stream, revision } }, signal }))
}

function Facts({ event, owner }: { event: RecordedEvent; owner: string | undefined }) {
  const { what, stream, revision, position, recorded_at, request_id, command_id } = event
  const page = pageOf(event, owner)
  return (
    <dl class="facts">
      <dt>Event</dt>
      <dd>{withLocalTimes(what)}</dd>
      {page !== undefined && (
        <>
          <dt>Of</dt>
          <dd>
            <Link to={page.path}>{page.text}</Link>
          </dd>
        </>
      )}
      <dt>Stream</dt>
      <dd>
        <Link to={pathOf({ stream })}>{stream}</Link>, revision {revision}
      </dd>
      <dt>Recorded</dt>
      <dd>
        <time dateTime={recorded_at}>{formatExactTime(recorded_at)}</time>
      </dd>
      {request_id !== undefined && (
        <>
          <dt>Request</dt>
          <dd>
            <Link to={pathOf({ request: request_id })}>{request_id}</Link>
          </dd>
        </>
      )}
      {command_id !== undefined && (
        <>
          <dt>Command</dt>
          <dd>
            <Copyable text={command_id} label="Copy command id" />
          </dd>
        </>
      )}
      <dt>Position</dt>
      <dd>
        <Copyable text={position} label="Copy position" />
      </dd>
    </dl>
  )
}

/** The page of what the stream is about. */
function pageOf({ stream, category }: RecordedEvent, owner: string | undefined) {
  const id = stream.slice(category.length + 1)
  const more = owner === undefined || owner === currentSession().owner.id ? '' : `owner=${owner}`
  if (category === 'generation') return { path: `/generations/${id}?${more}`, text: `Generation ${id}` }
  if (category === 'template') return { path: `/templates/${id}?${more}`, text: `Template ${id}` }
  return undefined
}

function ownerOf(event: RecordedEvent | undefined): string | undefined {
  const { owner_id, request } = event?.data ?? {}
  if (typeof owner_id === 'string') return owner_id
  const inner =
    typeof request === 'object' && request !== null ? (request as Record<string, unknown>).owner_id : undefined
  return typeof inner === 'string' ? inner : undefined
}
