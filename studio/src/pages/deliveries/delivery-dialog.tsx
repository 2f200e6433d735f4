import { useEffect } from 'preact/hooks'
import { api, unwrap } from '../../api/client.ts'
import { mayUse } from '../../api/session-state.ts'
import { Button } from '../../parts/button.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { DeliveryCard } from '../../parts/delivery/delivery-card.tsx'
import { Dialog, DialogActions, DialogBody } from '../../parts/dialog.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded, Notice } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { notify } from '../../parts/toasts.tsx'
import { textOf, useAction } from '../../parts/use-action.ts'
import { useResource } from '../../parts/use-resource.ts'
import type { Delivery } from './delivery-columns.tsx'

interface DeliveryDialogProps {
  id: string
  onClose(): void
  onChange(delivery: Delivery): void
}

const againMs = 1_000
const soonMs = 30_000

/** A delivery with every attempt. One that is due is looked at until its attempt is there. */
export function DeliveryDialog({ id, onClose, onChange }: DeliveryDialogProps) {
  const params = { path: { id } }
  const delivery = useResource(`delivery ${id}`, (signal) => unwrap(api.GET('/v1/deliveries/{id}', { params, signal })))
  const action = useAction()
  const { value } = delivery
  useEffect(() => {
    if (value === undefined) return
    onChange(value)
    const isDueSoon = Date.parse(value.next_attempt_at ?? '') - Date.now() < soonMs
    if (value.status !== 'pending' || !isDueSoon) return
    const timer = setTimeout(delivery.reload, againMs)
    return () => clearTimeout(timer)
  }, [value])
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
                  <Source delivery={loaded} />
                </dd>
                <dt>Scheduled</dt>
                <dd>
                  <Time at={loaded.created_at} />
                </dd>
              </dl>
              <DeliveryCard delivery={loaded} />
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

function Source({ delivery }: { delivery: Delivery }) {
  const { generation_id, batch_id } = delivery
  if (generation_id !== undefined) return <Link to={`/generations/${generation_id}`}>{generation_id}</Link>
  return <code>{batch_id}</code>
}
