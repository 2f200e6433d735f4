import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { outcomeOf } from '@platen/domain/generation/generation-state.ts'
import { DomainError } from '@platen/domain/http/errors.ts'
import { abortWith } from '@platen/foundation/runtime/abort-with.ts'
import type { PendingReply } from '@platen/messaging/requests/reply.ts'
import type { GenerationView } from '../views/generation-view.ts'
import type { ViewUpdates } from '../views/view-updates.ts'

export interface OutcomeWait {
  id: string
  /** The reply of the renderer usually arrives before the view is updated. A repeated request may not get one. */
  pending: PendingReply<GenerationOutcome>
  generations: GenerationView
  updates: ViewUpdates
  timeoutMs: number
  /** Ends the wait when the client has disconnected. */
  signal: AbortSignal
}

/** How the generation ended; undefined after the timeout. Throws the failure of its command as a DomainError. */
export async function waitForOutcome(wait: OutcomeWait): Promise<GenerationOutcome | undefined> {
  const { id, pending, generations, updates, timeoutMs } = wait
  const replied = new AbortController()
  using _disconnecting = abortWith(replied, [wait.signal])
  const { signal } = replied
  const readView = () => {
    const record = generations.find(id)
    return record && record.state.status !== 'queued' ? outcomeOf(record.state) : undefined
  }
  const viewed = updates.waitFor(id, readView, { timeoutMs, signal })
  try {
    const reply = await Promise.race([viewed, pending.answer])
    if (reply === undefined || !('ok' in reply)) return reply
    if (!reply.ok) throw DomainError.from(reply.failure)
    return reply.value
  } finally {
    replied.abort(abortReason)
  }
}

/** A constant, because creating an error captures a stack trace. */
const abortReason = new Error('the wait for the outcome is over')
