import type { Readable } from 'node:stream'
import { type DeliveryCommand, deliveryDecider, type RecordAttempt } from '@platen/domain/delivery/decide-delivery.ts'
import { type EndpointCommand, endpointDecider, endpointId } from '@platen/domain/delivery/decide-endpoint.ts'
import { type DeliveryScheduled, deliveryStream } from '@platen/domain/delivery/delivery-events.ts'
import { endpointStream } from '@platen/domain/delivery/endpoint-events.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { handleCommand, load } from '@platen/event-store/handle-command.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { derivedUuid } from '@platen/foundation/runtime/ids.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { retryWhileUnavailable } from '@platen/foundation/runtime/retry-while-unavailable.ts'
import { inSpan, type Span, traceIdOf, tracing } from '@platen/foundation/tracing/tracing.ts'
import type { Signing } from '@platen/service-kit/signing/signing.ts'
import type { AttemptClaims } from '../schedule/attempt-claims.ts'
import { pauseAfterAttemptMs } from '../schedule/delivery-schedule.ts'
import { attemptKey } from '../schedule/due-queries.ts'
import type { EndpointView } from '../schedule/due-view.ts'
import type { UnreadFiles } from '../schedule/unread-files.ts'
import { BodyUnavailable, lostFile } from '../webhook/body-unavailable.ts'
import { type PostOutcome, postOnce } from '../webhook/post.ts'
import { retryAfterMs } from '../webhook/retry-after.ts'
import { nextAttemptAt } from '../webhook/schedule.ts'
import { readDelivery } from './read-delivery.ts'
import { signedRequest } from './signed-request.ts'

export interface AttemptDependencies {
  store: EventStore
  signing: Signing
  claims: Pick<AttemptClaims, 'take'>
  scheduleMs: readonly number[]
  allowPrivate: boolean
  timeoutMs: number
  /** An endpoint is disabled when every attempt has failed for this time. */
  disableAfterMs: number
  endpoint: (id: string) => EndpointView
  now: () => number
  random: () => number
  /** Reads a stored file; undefined if it was deleted. */
  readFile: (key: string) => Promise<Readable | undefined>
  unreadFiles: Pick<UnreadFiles, 'putOff' | 'wasMade'>
  /** Default: postOnce. */
  post?: typeof postOnce
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
 * Makes the attempt and records its outcome, unless another notifier has claimed it. Resolves to the time in ms after
 * which the attempt may be due again. If its file cannot be read it is put off, and nothing is recorded: the receiver is not at fault.
 * Rejects with DependencyUnavailable if it could not be made otherwise.
 */
export async function attemptDelivery(dependencies: AttemptDependencies, due: DueAttempt): Promise<number> {
  const taken = await dependencies.claims.take(due.id, due.attempt)
  if ('heldForMs' in taken) return taken.heldForMs
  // The claim is renewed until the outcome is recorded.
  using claim = taken
  try {
    const prepared = await prepare(dependencies, due)
    if (prepared) await attemptTraced(dependencies, { ...due, ...prepared, stops: claim.times - 1 })
    dependencies.unreadFiles.wasMade(attemptKey(due))
  } catch (err) {
    await claim.release()
    if (!(err instanceof PutOff)) throw err
    const { cause, pauseMs } = err
    dependencies.log.warn({ err: cause, delivery: due.id, attempt: due.attempt, pause_ms: pauseMs }, err.message)
    return pauseMs
  }
  return pauseAfterAttemptMs
}

/** Nothing was recorded of the attempt. */
class PutOff extends Error {
  override readonly name = 'PutOff'
  readonly pauseMs: number

  constructor(pauseMs: number, cause: BodyUnavailable) {
    super('the file of a webhook cannot be read, retrying', { cause })
    this.pauseMs = pauseMs
  }
}

interface PreparedAttempt extends DueAttempt {
  correlationId: string
  /** The span of the attempt, or of what scheduled the delivery if traces are off. */
  traceparent: string | undefined
  delivery: DeliveryScheduled['data']
  /** The number of the first attempt of the schedule. */
  firstAttempt: number
  /** Whether the schedule is that of a redelivery. */
  redelivered: boolean
  /** Why the attempt is refused without a request. */
  refusal: string | undefined
  /** How often a notifier has stopped during this attempt. */
  stops: number
}

/** The URL of a webhook may have a secret: the span has its host only. */
async function attemptTraced(dependencies: AttemptDependencies, prepared: PreparedAttempt): Promise<void> {
  if (tracing() === undefined) return makeAttempt(dependencies, prepared)
  const { id, attempt, correlationId, delivery } = prepared
  const { hostname, port, protocol } = new URL(delivery.url)
  const attributes = {
    'http.request.method': 'POST',
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    'http.request.resend_count': attempt - 1 || undefined,
    'platen.delivery_id': id,
    'platen.generation_id': delivery.generation_id,
    'platen.batch_id': delivery.batch_id,
    'platen.owner_id': delivery.owner_id,
    'platen.api_key_id': delivery.api_key_id,
    'platen.request_id': correlationId,
  }
  const options = { kind: 'client' as const, parent: prepared.traceparent, attributes }
  await inSpan('POST webhook', options, (traceparent, span) =>
    makeAttempt(dependencies, { ...prepared, traceparent }, span),
  )
}

async function makeAttempt(dependencies: AttemptDependencies, prepared: PreparedAttempt, span?: Span): Promise<void> {
  const { store, log } = dependencies
  const { id, attempt, correlationId, stops, traceparent } = prepared
  // The receiver has the request, so the outcome must not be lost while the event store is unavailable.
  const record = (command: DeliveryCommand) =>
    retryWhileUnavailable(
      () =>
        handleCommand({
          store,
          decider: deliveryDecider,
          stream: deliveryStream(id),
          command: { ...command, metadata: attemptMetadata(dependencies, prepared) },
        }),
      dependencies,
    )
  const refusal = stops < maxStops ? prepared.refusal : `the notifier stopped ${stops} times during attempt ${attempt}`
  if (refusal !== undefined) {
    log.warn({ delivery: id, attempt, request_id: correlationId }, `webhook not sent: ${refusal}`)
    await record({ type: 'GiveUp', data: { attempt, reason: refusal } })
    return
  }
  const outcome = await sendRequest(dependencies, prepared, span !== undefined)
  if (outcome === undefined) {
    await record({ type: 'GiveUp', data: { attempt, reason: 'the file of the generation is not stored any more' } })
    return
  }
  const { response: _, ...logged } = outcome
  if ('status' in outcome) span?.set({ 'http.response.status_code': outcome.status })
  // The span covers the request only, without the recording that follows.
  span?.end(failureOf(outcome))
  const ids = { request_id: correlationId, ...traceIdOf(traceparent) }
  log.info({ delivery: id, attempt, ...logged, ...ids }, 'webhook attempted')
  // Before the outcome is recorded: if this notifier stops in between, another one repeats the attempt and judges the
  // endpoint again.
  if (!isLostFile(outcome))
    await retryWhileUnavailable(() => judgeEndpoint(dependencies, prepared, outcome), dependencies)
  await record(recordAttempt(dependencies, prepared, outcome))
}

/** Undefined if the file was deleted. Throws PutOff if it cannot be read; after long its error is the outcome. */
async function sendRequest(
  dependencies: AttemptDependencies,
  prepared: PreparedAttempt,
  isTraced: boolean,
): Promise<PostOutcome | undefined> {
  const { allowPrivate, timeoutMs, unreadFiles, post = postOnce } = dependencies
  const { traceparent } = prepared
  const startedAt = performance.now()
  try {
    const request = await signedRequest(dependencies, prepared)
    if (!request) return undefined
    if (isTraced && traceparent !== undefined) Object.assign(request.headers, { traceparent })
    return await post({ ...request, allowPrivate, timeoutMs })
  } catch (err) {
    if (!(err instanceof BodyUnavailable)) throw err
    const pauseMs = await unreadFiles.putOff(attemptKey(prepared))
    if (pauseMs !== undefined) throw new PutOff(pauseMs, err)
    return { error: lostFile, duration_ms: Math.round(performance.now() - startedAt) }
  }
}

/** The receiver is not at fault. */
const isLostFile = (outcome: PostOutcome) => 'error' in outcome && outcome.error === lostFile

const failureOf = (outcome: PostOutcome) => {
  if (!('status' in outcome)) return 'no_response'
  return outcome.status >= 200 && outcome.status < 300 ? undefined : `${outcome.status}`
}

function attemptMetadata({ now }: AttemptDependencies, { id, attempt, correlationId, traceparent }: PreparedAttempt) {
  const time = new Date(now()).toISOString()
  return {
    id: derivedUuid(id, 'attempt', attempt),
    time,
    correlation_id: correlationId,
    ...defined({ traceparent }),
  }
}

/**
 * Disables an endpoint that is gone or has failed for days, and enables one that answers a redelivery. An attempt that
 * a redelivery has replaced disables nothing.
 */
async function judgeEndpoint(
  dependencies: AttemptDependencies,
  prepared: PreparedAttempt,
  outcome: PostOutcome,
): Promise<void> {
  const { store, log, endpoint, now, disableAfterMs } = dependencies
  const { id: delivery_id, delivery, redelivered } = prepared
  const { owner_id, url } = delivery
  const endpoint_id = endpointId(owner_id, url)
  const { disabled, failingSinceMs = now() } = endpoint(endpoint_id)
  const execute = (command: EndpointCommand) =>
    handleCommand({
      store,
      decider: endpointDecider,
      stream: endpointStream(endpoint_id),
      command: { ...command, metadata: attemptMetadata(dependencies, prepared) },
    })
  const status = 'status' in outcome ? outcome.status : 0
  if (status >= 200 && status < 300) {
    // The view may not show yet that the endpoint is disabled.
    if (disabled || redelivered) await execute({ type: 'EnableEndpoint', data: { delivery_id } })
    return
  }
  const isGone = status === 410
  if (disabled || !(isGone || now() - failingSinceMs >= disableAfterMs)) return
  if (!(await isNext(store, prepared))) return
  const reason = isGone ? 'gone' : 'failing'
  log.warn({ endpoint: endpoint_id, delivery: delivery_id, reason }, 'webhook endpoint disabled')
  const failing_since = new Date(failingSinceMs).toISOString()
  await execute({ type: 'DisableEndpoint', data: { owner_id, url, reason, failing_since, delivery_id } })
}

/** Undefined if the attempt has been made, or a redelivery has replaced it. */
async function prepare(dependencies: AttemptDependencies, due: DueAttempt) {
  const { delivery: state, correlationId, traceparent } = await readDelivery(dependencies.store, due.id)
  if (state.status !== 'pending' || state.attempt !== due.attempt) return undefined
  const { delivery, firstAttempt, redelivered } = state
  const refusal = redelivered ? undefined : await refusalOf(dependencies, delivery)
  return { correlationId, traceparent, delivery, firstAttempt, redelivered, refusal }
}

/** Whether the attempt is still the next one of its delivery. */
async function isNext(store: EventStore, { id, attempt }: DueAttempt): Promise<boolean> {
  const { delivery } = await readDelivery(store, id)
  return delivery.status === 'pending' && delivery.attempt === attempt
}

/** The event store decides, as the view may not show yet that the endpoint was enabled. */
async function refusalOf({ store, endpoint }: AttemptDependencies, { owner_id, url }: DeliveryScheduled['data']) {
  const id = endpointId(owner_id, url)
  if (endpoint(id).disabled === undefined) return undefined
  const { state } = await load(store, endpointDecider, endpointStream(id))
  return state.status === 'disabled' ? refusals[state.reason] : undefined
}

const refusals = {
  gone: 'the endpoint is disabled, because it answered 410 Gone',
  failing: 'the endpoint is disabled, because it has failed for days',
} as const

function recordAttempt(
  { scheduleMs, random, now }: AttemptDependencies,
  { attempt, firstAttempt }: PreparedAttempt,
  outcome: PostOutcome,
): RecordAttempt {
  const nowMs = now()
  const wait = 'status' in outcome && [429, 503].includes(outcome.status) ? outcome.retryAfter : undefined
  const next_at = nextAttemptAt({
    scheduleMs,
    attempts: attempt - firstAttempt + 1,
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
      ...defined({ response: outcome.response, next_at }),
    },
  }
}
