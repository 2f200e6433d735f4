import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../api/client.ts'
import { StatusBadge } from '../badge.tsx'
import { formatRelative } from '../format.ts'
import { Notice } from '../states.tsx'
import { Attempts } from './attempts.tsx'

type Delivery = Schemas['Delivery']

interface DeliveryCardProps {
  delivery: Delivery
  /** Beside the URL. */
  actions?: ComponentChildren
}

/** A webhook: where it goes, how it stands, and each attempt. */
export function DeliveryCard({ delivery, actions }: DeliveryCardProps) {
  const { url, type, status, next_attempt_at, reason, attempts } = delivery
  return (
    <article class="delivery-card">
      <header>
        <div>
          <code class="delivery-url">{url}</code>
          <p>
            <StatusBadge status={status} /> <span class="delivery-type">{type}</span>
            {status === 'pending' && next_attempt_at !== undefined && (
              <span class="delivery-next">{nextAttempt(next_attempt_at)}</span>
            )}
          </p>
        </div>
        {actions}
      </header>
      {reason !== undefined && status === 'exhausted' && <Notice tone="bad">{reason}</Notice>}
      <Attempts attempts={attempts} />
    </article>
  )
}

function nextAttempt(at: string): string {
  return Date.parse(at) <= Date.now() ? 'next attempt now' : `next attempt ${formatRelative(at)}`
}
