import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { handleCommand } from '@platen/shared/event-store/handle-command.ts'
import { derivedUuid } from '@platen/shared/runtime/ids.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import { retryWhileUnavailable } from '@platen/shared/runtime/retry-while-unavailable.ts'
import type { Signing } from '@platen/shared/signing/signing.ts'
import { type DeliveryCommand, deliveryDecider, type RecordAttempt } from '../domain/delivery.ts'
import type { AttemptClaims } from '../schedule/attempt-claims.ts'
import { pauseAfterAttemptMs } from '../schedule/delivery-schedule.ts'
import { type Post, type PostOutcome, postOnce } from '../webhook/post.ts'
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

/** A delivery is given up if the notifier stopped this often during one of its attempts. */
const maxStops = 5

/**
 * Makes the attempt and records its outcome, unless another notifier has claimed it. Resolves to the time in ms after which
 * the attempt may be due again.
 */
export async function attemptDelivery(dependencies: AttemptDependencies, due: DueAttempt): Promise<number> {
  const taken = await dependencies.claims.take(due.id, due.attempt)
  if ('heldForMs' in taken) return taken.heldForMs
  // It is renewed until the outcome is recorded.
  using claim = taken
  try {
    const prepared = await prepare(dependencies, due)
    if (prepared) await makeAttempt(dependencies, { ...due, ...prepared, stops: claim.times - 1 })
  } catch (err) {
    await claim.release()
    throw err
  }
  return pauseAfterAttemptMs
}

interface PreparedAttempt extends DueAttempt {
  correlationId: string
  request: Pick<Post, 'url' | 'headers' | 'body'>
  /** How often a notifier has stopped during this attempt. */
  stops: number
}

async function makeAttempt(dependencies: AttemptDependencies, prepared: PreparedAttempt): Promise<void> {
  const { store, log, now, allowPrivate, timeoutMs } = dependencies
  const { id, attempt, correlationId, request, stops } = prepared
  const record = async (command: DeliveryCommand) => {
    const time = new Date(now()).toISOString()
    const metadata = { id: derivedUuid(id, 'attempt', attempt), time, correlation_id: correlationId }
    const stream = `delivery-${id}`
    const handling = { store, decider: deliveryDecider, stream, command: { ...command, metadata } }
    // The receiver has the request, so the outcome must not be lost while the event store is unavailable.
    await retryWhileUnavailable(() => handleCommand(handling), dependencies)
  }
  if (stops >= maxStops) {
    const reason = `the notifier stopped ${stops} times during attempt ${attempt}`
    log.error({ delivery: id, attempt, request_id: correlationId }, `webhook given up: ${reason}`)
    return record({ type: 'GiveUp', data: { attempt, reason } })
  }
  const outcome = await postOnce({ ...request, allowPrivate, timeoutMs })
  log.info({ delivery: id, attempt, ...outcome, request_id: correlationId }, 'webhook attempted')
  await record(recordAttempt(dependencies, attempt, outcome))
}

/** The request to send; undefined if the attempt has been made. */
async function prepare({ store, signing, now }: AttemptDependencies, { id, attempt }: DueAttempt) {
  const { delivery: state, correlationId } = await readDelivery(store, id)
  if (state.status !== 'pending' || state.attempt !== attempt) return undefined
  const { url, body, owner_id, api_key_id } = state.delivery
  const nowMs = now()
  const secrets = await signingSecrets({ store, signing, ownerId: owner_id, apiKeyId: api_key_id, nowMs })
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    ...webhookHeaders({ id, timestampS: Math.floor(nowMs / 1_000), body, secrets }),
  }
  return { correlationId, request: { url, headers, body } }
}

function recordAttempt(
  { scheduleMs, random, now }: AttemptDependencies,
  attempt: number,
  outcome: PostOutcome,
): RecordAttempt {
  const nowMs = now()
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
