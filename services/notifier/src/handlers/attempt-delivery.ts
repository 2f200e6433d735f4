import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { handleCommand } from '@platen/shared/event-store/handle-command.ts'
import { derivedUuid } from '@platen/shared/runtime/ids.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import { retryWhileUnavailable } from '@platen/shared/runtime/retry-while-unavailable.ts'
import type { Signing } from '@platen/shared/signing/signing.ts'
import { deliveryDecider, type RecordAttempt } from '../domain/delivery.ts'
import type { AttemptClaims } from '../schedule/attempt-claims.ts'
import { type PostOutcome, postOnce } from '../webhook/post.ts'
import { retryAfterMs } from '../webhook/retry-after.ts'
import { nextAttemptAt } from '../webhook/schedule.ts'
import { webhookHeaders } from '../webhook/sign.ts'
import { signingSecrets } from '../webhook/signing-secrets.ts'
import { userAgent } from '../webhook/user-agent.ts'
import { readDelivery } from './read-delivery.ts'

export interface AttemptDependencies {
  store: EventStore
  signing: Signing
  claims: AttemptClaims
  scheduleMs: readonly number[]
  allowPrivate: boolean
  timeoutMs: number
  now: () => number
  random: () => number
  log: Logger
  stopping: AbortSignal
}

/** An attempt that is due according to the view. The event store decides, as the view may lag behind. */
export interface DueAttempt {
  id: string
  attempt: number
}

/** Makes the attempt and records its outcome, unless another notifier has claimed it. */
export async function attemptDelivery(dependencies: AttemptDependencies, { id, attempt }: DueAttempt): Promise<void> {
  const { store, claims, log } = dependencies
  if (!(await claims.take(id, attempt))) return
  const prepared = await prepare(dependencies, id, attempt).catch(async (err) => {
    await claims.release(id, attempt)
    throw err
  })
  if (!prepared) return
  const { correlationId, ...request } = prepared
  const outcome = await postOnce({
    ...request,
    allowPrivate: dependencies.allowPrivate,
    timeoutMs: dependencies.timeoutMs,
  })
  const nowMs = dependencies.now()
  log.info({ delivery: id, attempt, ...outcome, request_id: correlationId }, 'webhook attempted')
  const metadata = {
    id: derivedUuid(id, 'attempt', attempt),
    time: new Date(nowMs).toISOString(),
    correlation_id: correlationId,
  }
  const command = { ...recordAttempt(dependencies, attempt, outcome, nowMs), metadata }
  // The receiver has the request, so the outcome must not be lost while the event store is unavailable.
  await retryWhileUnavailable(
    () => handleCommand({ store, decider: deliveryDecider, stream: `delivery-${id}`, command }),
    dependencies,
  )
}

/** The request to send; undefined if the attempt has been made. */
async function prepare({ store, signing, now }: AttemptDependencies, id: string, attempt: number) {
  const { delivery: state, correlationId } = await readDelivery(store, id)
  if (state.status !== 'pending' || state.attempt !== attempt) return undefined
  const { url, body, api_key_id } = state.delivery
  const nowMs = now()
  const secrets = await signingSecrets({ store, signing, apiKeyId: api_key_id, nowMs })
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...webhookHeaders({ id, timestampS: Math.floor(nowMs / 1_000), body, secrets }),
  }
  return { correlationId, url, headers, body }
}

function recordAttempt(
  { scheduleMs, random }: AttemptDependencies,
  attempt: number,
  outcome: PostOutcome,
  nowMs: number,
): RecordAttempt {
  const wait = 'status' in outcome && [429, 503].includes(outcome.status) ? outcome.retryAfter : undefined
  const next_at = nextAttemptAt({
    scheduleMs,
    attempts: attempt,
    nowMs,
    random: random(),
    retryAfterMs: retryAfterMs(wait, nowMs),
  })
  return {
    type: 'RecordAttempt',
    data: {
      attempt,
      outcome: 'status' in outcome ? { status: outcome.status } : { error: outcome.error },
      duration_ms: outcome.duration_ms,
      ...(next_at !== undefined && { next_at }),
    },
  }
}
