import type { GenerationOutcome, GenerationRequest } from '@platen/shared/contracts/generation.ts'
import { outcomeOf } from '@platen/shared/contracts/generation-state.ts'
import type { PendingReply } from '@platen/shared/messaging/reply.ts'
import { DomainError } from '@platen/shared/runtime/errors.ts'
import type { Views } from '../run-views.ts'
import type { GenerationRecord } from './generation-record.ts'

export interface AwaitOutcome {
  id: string
  /** The renderer's own answer, quicker than the view; a repeated request may never get one. */
  pending: PendingReply<GenerationOutcome> | undefined
  views: Pick<Views, 'generations' | 'changes'>
  deadlineMs: number
  /** Aborts when nobody waits any more. */
  signal: AbortSignal
}

/** How a generation ended, from whoever knows first; undefined when time is over. Throws the renderer's refusal. */
export async function awaitOutcome(wait: AwaitOutcome): Promise<GenerationOutcome | undefined> {
  const { id, pending, views, deadlineMs } = wait
  const answered = new AbortController()
  const signal = AbortSignal.any([wait.signal, answered.signal])
  const look = () => {
    const record = views.generations.find(id)
    return record && record.state.status !== 'queued' ? outcomeOf(record.state) : undefined
  }
  const viewed = views.changes.until(id, look, { timeoutMs: deadlineMs, signal })
  try {
    const reply = await Promise.race([viewed, ...(pending ? [pending.answer] : [])])
    if (reply === undefined || !('ok' in reply)) return reply
    if (!reply.ok) throw DomainError.from(reply.failure)
    return reply.value
  } finally {
    answered.abort(isAnswered)
  }
}

/** Made once: an error records its stack. */
const isAnswered = new Error('it is answered')

/** What an outcome makes of a request, before a view or the store is asked. */
export function recordOf(request: GenerationRequest, outcome: GenerationOutcome): GenerationRecord {
  const { api_key_id } = request
  switch (outcome.type) {
    case 'GenerationCompleted':
      return { request, state: { status: 'completed', request: { api_key_id }, result: outcome.data } }
    case 'GenerationFailed':
      return { request, state: { status: 'failed', request: { api_key_id }, failure: outcome.data } }
    case 'GenerationCancelled':
      return { request, state: { status: 'cancelled', request: { api_key_id } } }
  }
}
