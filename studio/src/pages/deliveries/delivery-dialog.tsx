import { useEffect } from 'preact/hooks'
import { api, unwrap } from '../../api/client.ts'
import { mayUse } from '../../api/session-state.ts'
import { Button } from '../../parts/button.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { DeliveryCard } from '../../parts/delivery/delivery-card.tsx'
import { Dialog, DialogActions, DialogBody } from '../../parts/dialog.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded, Notice } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { notify } from '../../parts/toasts.tsx'
import { textOf, useAction } from '../../parts/use-action.ts'
import { useChanges } from '../../parts/use-changes.ts'
import { useResource } from '../../parts/use-resource.ts'
import type { Delivery } from './delivery-columns.tsx'

interface DeliveryDialogProps {
  id: string
  /** Its owner, if that is not the one that is looked at. */
  owner: string
  onClose(): void
  onChange(delivery: Delivery): void
}

const againMs = 1_000
const soonMs = 30_000

/** A delivery with every attempt. A new attempt appears by itself. */
export function DeliveryDialog({ id, owner, onClose, onChange }: DeliveryDialogProps) {
  const params = { path: { id }, query: owner === '' ? {} : { owner } }
  const delivery = useResource(`delivery ${id}`, (signal) => unwrap(api.GET('/v1/deliveries/{id}', { params, signal })))
  const action = useAction()
  const { value } = delivery
  const isFollowed = useChanges({
    category: value?.status === 'pending' ? 'delivery' : undefined,
    stream: `delivery-${id}`,
    onChange: delivery.reload,
  })
  useEffect(() => {
    if (value !== undefined) onChange(value)
  }, [value])
  useEffect(() => {
    if (value === undefined || isFollowed) return
    const isDueSoon = Date.parse(value.next_attempt_at ?? '') - Date.now() < soonMs
    if (value.status !== 'pending' || !isDueSoon) return
    const timer = setTimeout(delivery.reload, againMs)
    return () => clearTimeout(timer)
  }, [value, isFollowed])
  const redeliver = async () => {
    const isDone = await action.run(async () => {
      delivery.set(await unwrap(api.POST('/v1/deliveries/{id}/redeliver', { params })))
    })
    if (isDone) notify('The webhook is sent again')
  }
  return (
    <Dialog title="Delivery" size="wide" onClose={onClose}>
      <DialogBody>
        <Loaded resource={delivery} failure="The delivery could not be loaded">
          {(loaded) => (
            <>
              <dl class="facts">
                <dt>Id</dt>
                <dd>
                  <Copyable text={loaded.id} label="Copy id" />
                </dd>
                <dt>Reports</dt>
                <dd>
                  <Source delivery={loaded} owner={owner} />
                </dd>
                <dt>Scheduled</dt>
                <dd>
                  <Time at={loaded.created_at} />
                </dd>
              </dl>
              <DeliveryCard delivery={loaded} />
              {loaded.body !== undefined && (
                <>
                  <h3>Body that is sent</h3>
                  <JsonView value={JSON.parse(loaded.body)} label="body" openTo={2} />
                </>
              )}
            </>
          )}
        </Loaded>
        {action.error !== undefined && <Notice tone="bad">{textOf(action.error)}</Notice>}
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        {mayUse('generate') && (
          <Button
            tone="primary"
            icon="send"
            busy={action.busy}
            disabled={value === undefined}
            onClick={() => void redeliver()}
          >
            Redeliver
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

function Source({ delivery, owner }: { delivery: Delivery; owner: string }) {
  const { generation_id, batch_id } = delivery
  const query = owner === '' ? '' : `?owner=${owner}`
  if (generation_id !== undefined) return <Link to={`/generations/${generation_id}${query}`}>{generation_id}</Link>
  return <code>{batch_id}</code>
}
