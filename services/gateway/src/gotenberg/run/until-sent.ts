import { setTimeout as sleep } from 'node:timers/promises'
import type { FileWebhook } from '@platen/domain/generation/file-webhook.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { outcomeOf } from '@platen/domain/generation/generation-state.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { AnswerOptions } from '../../generations/answer-generation.ts'
import type { DeliveryView } from '../../views/delivery-view.ts'

export interface SendingOptions {
  answering: Pick<AnswerOptions, 'generations' | 'updates' | 'config'>
  deliveries: Pick<DeliveryView, 'list'>
}

export interface Sent {
  /** Of the generation. */
  id: string
  webhook: FileWebhook
  /** Aborts when the client has disconnected, which ends the wait. */
  disconnected: AbortSignal
}

/** The first pause between two looks. Each is twice as long as the one before: many clients may wait for slow receivers. */
const firstPauseMs = 50
const maxPauseMs = 1_000
const everything = { ownerId: undefined, from: undefined, before: undefined }

/**
 * Waits until each webhook of the generation was attempted, and for `SYNC_TIMEOUT` at most. What fails is repeated later, as
 * always.
 */
export async function untilSent(
  { answering, deliveries }: SendingOptions,
  { id, webhook, disconnected: signal }: Sent,
): Promise<void> {
  const { generations, updates, config } = answering
  const endsAt = performance.now() + config.syncTimeoutMs
  const leftMs = () => Math.max(0, endsAt - performance.now())
  const readOutcome = () => {
    const record = generations.find(id)
    return record && record.state.status !== 'queued' ? outcomeOf(record.state) : undefined
  }
  const outcome = await updates.waitFor(id, readOutcome, { timeoutMs: leftMs(), signal })
  if (!outcome) return
  const expected = requestsOf(outcome, webhook)
  for (let pauseMs = firstPauseMs; leftMs() > 0 && !signal.aborted; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    // The generation is stored: its client must not be told that it is not, if the view cannot be read for a moment.
    const items = await listed(deliveries, { source: id, limit: expected })
    const made = items.filter(({ state, attempts }) => state.status !== 'pending' || attempts.length > 0)
    if (made.length >= expected) return
    await sleep(Math.min(pauseMs, leftMs()))
  }
}

async function listed(deliveries: SendingOptions['deliveries'], of: { source: string; limit: number }) {
  try {
    return (await deliveries.list({ ...everything, ...of })).items
  } catch (err) {
    if (err instanceof DependencyUnavailable) return []
    throw err
  }
}

/** How many requests the end of a generation causes: the file or the error, and an event. */
function requestsOf(outcome: GenerationOutcome, { error_url, events_url }: FileWebhook): number {
  const event = events_url === undefined ? 0 : 1
  const isFile = outcome.type === 'GenerationCompleted' && outcome.data.media_type !== 'application/json'
  return event + (isFile || error_url !== undefined ? 1 : 0)
}
