import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { isOfAllOwners } from '../../parts/all-owners.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../parts/dialog.tsx'
import { SelectField, TextField } from '../../parts/fields.tsx'
import { localOf, sinceTime, timeOf } from '../../parts/filters/time-filter.tsx'
import { count, formatNumber } from '../../parts/format.ts'
import { Loaded, Notice } from '../../parts/states.tsx'
import { notify } from '../../parts/toasts.tsx'
import { textOf, useAction } from '../../parts/use-action.ts'
import { useResource } from '../../parts/use-resource.ts'
import { type Found, findDeliveries } from './count-deliveries.ts'
import { filterOfAddress } from './delivery-filter.ts'
import { redeliverEach, redeliverRange } from './redeliver-many.ts'

interface RedeliverDialogProps {
  onClose(): void
  onDone(): void
}

const spans = [
  { value: '15m', text: 'in the last 15 minutes' },
  { value: '1h', text: 'in the last hour' },
  { value: '24h', text: 'in the last 24 hours' },
  { value: '7d', text: 'in the last 7 days' },
  { value: '30d', text: 'in the last 30 days' },
  { value: 'moment', text: 'since a moment' },
]
const states = [
  { value: 'exhausted', text: 'Those that have failed for good' },
  { value: 'pending', text: 'Those that are tried again later: now' },
  { value: 'succeeded', text: 'Those that have succeeded: once more' },
]

/** No moment was chosen yet. */
const nothing: Found = { deliveries: [], hosts: [], isAll: true }

/** Sends many webhooks again. First it counts them, and the button names the count. */
export function RedeliverDialog({ onClose, onDone }: RedeliverDialogProps) {
  const filter = filterOfAddress()
  const isSpan = spans.some(({ value }) => value === filter.since)
  const moment = useSignal(localOf(filter.since))
  const since = useSignal(isSpan ? filter.since : moment.value === '' ? '24h' : 'moment')
  const status = useSignal(states.some(({ value }) => value === filter.status) ? filter.status : 'exhausted')
  const endpoint = useSignal(filter.endpoint)
  // The end is fixed when the dialog opens, so that what was counted is what is sent.
  const opened = useSignal(Date.now()).value
  const range = {
    since: (since.value === 'moment' ? timeOf(moment.value) : sinceTime(since.value, opened)) ?? '',
    until: new Date(opened).toISOString(),
    status: status.value,
    endpoint: endpoint.value.trim(),
  }
  // The range of one owner is sent again by a request, all else one by one.
  const isOneByOne = range.endpoint !== '' || isOfAllOwners()
  const found = useResource(JSON.stringify(range), async (signal) => {
    await pause(signal)
    return range.since === '' ? nothing : findDeliveries(range, signal)
  })
  const action = useAction()
  const done = useSignal(0)
  // Cancel, another page and another owner end what is under way.
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const send = async (deliveries: Found) => {
    let sent = 0
    const { signal } = stop.current
    const isDone = await action.run(async () => {
      const state = status.value as 'exhausted' | 'pending' | 'succeeded'
      sent = !isOneByOne
        ? await redeliverRange({ since: range.since, until: range.until, status: state }, signal)
        : await redeliverEach(deliveries, {
            signal,
            onProgress: (value) => {
              done.value = value
            },
          })
    })
    if (!isDone) return
    if (signal.aborted) return notify(`Stopped after ${count(sent, 'webhook')}`)
    notify(`${count(sent, 'webhook')} ${sent === 1 ? 'is' : 'are'} sent again`)
    onClose()
    onDone()
  }
  const { value } = found
  const isKnown = value !== undefined && !found.isLoading
  const canSend = isKnown && value.deliveries.length > 0 && (value.isAll || !isOneByOne)
  return (
    <Dialog title={isOfAllOwners() ? 'Redeliver webhooks of all owners' : 'Redeliver webhooks'} onClose={onClose}>
      <DialogBody>
        <SelectField
          label="Which"
          value={status.value}
          options={states}
          onChange={(chosen) => {
            status.value = chosen
          }}
        />
        <SelectField
          label="Scheduled"
          value={since.value}
          options={spans}
          onChange={(chosen) => {
            since.value = chosen
          }}
        />
        {since.value === 'moment' && (
          <TextField
            label="Since"
            type="datetime-local"
            value={moment.value}
            onInput={(text) => {
              moment.value = text
            }}
          />
        )}
        <TextField
          label="Endpoint"
          hint="A host or a whole URL. Empty: all endpoints."
          placeholder="hooks.example.com"
          value={endpoint.value}
          onInput={(text) => {
            endpoint.value = text
          }}
        />
        <div class="deliveries-count" aria-live="polite">
          <Loaded resource={found} failure="The deliveries could not be counted">
            {(deliveries) => <Counted found={deliveries} isOneByOne={isOneByOne} />}
          </Loaded>
        </div>
        {action.error !== undefined && <Notice tone="bad">{textOf(action.error)}</Notice>}
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          tone="primary"
          icon="send"
          disabled={!canSend}
          busy={action.busy}
          onClick={() => value && void send(value)}
        >
          {action.busy && done.value > 0
            ? `${formatNumber(done.value)} sent`
            : `Redeliver ${isKnown ? countOf(value) : 'webhooks'}`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const countOf = ({ deliveries, isAll }: Found) =>
  isAll ? count(deliveries.length, 'webhook') : `more than ${formatNumber(deliveries.length)} webhooks`

function Counted({ found, isOneByOne }: { found: Found; isOneByOne: boolean }) {
  const { deliveries, hosts, isAll } = found
  if (deliveries.length === 0) return <p>No webhook matches. Nothing would be sent.</p>
  const [first, ...others] = hosts
  const to = others.length === 0 ? first : `${first} and ${count(others.length, 'other host')}`
  return (
    <>
      <p>
        <b>{countOf(found)}</b> to {to}. Each is sent with the same id and body as before, and its attempts begin again.
      </p>
      {!isAll && isOneByOne && (
        <Notice tone="warn">
          Choose a shorter time: of an endpoint or of all owners, at most 2,000 are sent at once.
        </Notice>
      )}
    </>
  )
}

/** One who types an endpoint is not answered for each letter. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 200)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
