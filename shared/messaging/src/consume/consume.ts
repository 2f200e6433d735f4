import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { retryWhileUnavailable } from '@platen/foundation/runtime/retry-while-unavailable.ts'
import { backoffMs, sleep } from '@platen/foundation/runtime/sleep.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { headers } from 'nats'
import { ask } from '../connection/ask.ts'
import type { Bus } from '../connection/bus.ts'
import { isDisconnect } from '../connection/bus-unavailable.ts'
import { checksumHeader, damageOf, isIntact } from '../envelopes/checksum.ts'
import { MalformedMessage } from '../envelopes/command-codec.ts'
import { publish } from '../publish/publish.ts'
import { type DurableConsumer, defaultAckWaitMs, found, openConsumer } from '../streams/streams.ts'
import type { DeliveredMessage } from './delivered-message.ts'
import { handleTraced, type TraceContext } from './handle-traced.ts'
import { PullSubscription } from './pull-subscription.ts'

/** A message that was delivered this often without success is moved to the dead-letter stream. */
const maxDeliveries = 5

/** Thrown by a handler if this process cannot do the work now, but another may. The message is delivered again. */
export class Released extends Error {
  override readonly name = 'Released'
  /** The delay of the redelivery, so that this process does not get the message back at once. */
  readonly delayMs: number

  constructor(message: string, { cause, delayMs = 1_000 }: { cause?: unknown; delayMs?: number } = {}) {
    super(message, { cause })
    this.delayMs = delayMs
  }
}

/** Thrown by a handler if the message must not be delivered again. Its cause is the last failure. */
export class Exhausted extends Error {
  override readonly name = 'Exhausted'
}

export interface Consumption<Message> {
  bus: Bus
  /** Created again after it was lost. */
  consumer: DurableConsumer
  concurrency: number
  /** Throws MalformedMessage. */
  parse: (message: DeliveredMessage) => Message
  /** Must be idempotent. A DependencyUnavailable that may recover is retried here; any other error makes the broker redeliver. */
  handle: (message: Message, raw: DeliveredMessage) => Promise<void>
  /** Called before a message that `parse` or `handle` could not read is moved to the dead-letter stream. */
  onMalformed?: (raw: DeliveredMessage, err: MalformedMessage) => Promise<void>
  /** Default: 5. Set it higher if `handle` counts the attempts and throws Exhausted. */
  maxDeliveries?: number
  /** Resolves when this process can do the work. No message is fetched before. */
  ready?: (signal: AbortSignal) => Promise<void>
  /** Called before a message that failed too often is moved to the dead-letter stream. */
  onExhausted?: (message: Message, raw: DeliveredMessage, err: unknown) => Promise<void>
  /** Returns the `traceparent` of a message for its handler. With traces on, the span of the handler replaces it. */
  traceContext?: (message: Message) => TraceContext
  log: Logger
  stopping: AbortSignal
}

/**
 * Handles up to `concurrency` messages at a time and settles each. Resolves when `stopping` has aborted and every
 * message in flight is settled.
 */
export async function consume<Message>(consumption: Consumption<Message>): Promise<void> {
  const { bus, concurrency, log, stopping } = consumption
  const inFlight = new Set<Promise<void>>()
  const start = (message: DeliveredMessage) => {
    const work = settle(message, consumption)
      .catch((err) => log.error({ err, seq: message.seq }, 'message could not be settled; it will be redelivered'))
      .finally(() => inFlight.delete(work))
    inFlight.add(work)
  }
  const open = async () => (await openConsumer(bus, consumption.consumer)).info(true)
  let pull: PullSubscription | undefined
  let reopening: Promise<unknown> | undefined
  /** Creates the consumer again if it was deleted. */
  const reopen = () => {
    reopening ??= open()
      .then(ignore, ignore)
      .finally(() => (reopening = undefined))
  }
  let failures = 0
  while (!stopping.aborted) {
    try {
      await consumption.ready?.(stopping)
      if (stopping.aborted) break
      pull ??= new PullSubscription(bus, await open(), start)
      const answer = bus.untilDisconnected(pull.request(concurrency - inFlight.size))
      const isAnswered = await untilAborted(answer, stopping)
      // nats-server 2.9 leaves requests for a consumer that is missing unanswered.
      if (!isAnswered) reopen()
      failures = 0
    } catch (err) {
      if (stopping.aborted) break
      // The next request is sent as soon as there is a connection again.
      if (!isDisconnect(err)) {
        if (failures++ === 0) log.warn({ err }, 'fetching messages failed, retrying')
        // The consumer may have been deleted. While a cluster elects leaders, other requests may succeed before this
        // one is answered or times out.
        if (pull) reopen()
        await sleep(backoffMs(failures, { firstMs: 100, maxMs: 500 }), stopping)
      }
    }
    while (inFlight.size >= concurrency) await Promise.race(inFlight)
    // The client would keep the requests of a disconnected time, and send all of them afterwards.
    while (!bus.connected && !stopping.aborted) await sleep(20, stopping)
  }
  const warn = (err: unknown) => log.warn({ err }, 'the connection was lost; messages may be redelivered')
  if (bus.connected) await pull?.drain().catch(warn)
  await Promise.all([...inFlight, reopening])
  // Acks are sent in the background: flush them before the connection is closed.
  if (bus.connected) await bus.nats.flush().catch(warn)
}

const ignore = () => {}

const isOutage = (err: unknown) => err instanceof DependencyUnavailable && err.mayRecover

async function settle<Message>(raw: DeliveredMessage, consumption: Consumption<Message>): Promise<void> {
  const { bus, log, stopping, maxDeliveries: limit = maxDeliveries } = consumption
  const { deliveryCount: delivery } = raw.info
  const { ackWaitMs = defaultAckWaitMs } = consumption.consumer
  const heartbeat = setInterval(() => raw.working(), ackWaitMs / 3)
  // A process that is suspended on a busy machine loses its messages, too. A short ack wait must not exhaust them
  // sooner.
  const stopsLimit = limit * Math.ceil(defaultAckWaitMs / ackWaitMs)
  try {
    const message = await read(raw, consumption)
    if (delivery > stopsLimit) throw new Error('the process that handled the message stopped each time')
    const begin = () => {
      raw.begin()
      return consumption.handle(message, raw)
    }
    const handle = () => retryWhileUnavailable(begin, consumption)
    await handleTraced(raw, consumption.traceContext?.(message), handle)
    // The ack is not confirmed. If it is lost, the message is redelivered, and handlers are idempotent.
    raw.ack()
  } catch (err) {
    if (err instanceof MalformedMessage) {
      log.error({ err, subject: raw.subject }, 'malformed message moved to the dead-letter stream')
      await consumption.onMalformed?.(raw, err)
      await deadLetter(bus, raw, err.message)
      raw.term()
    } else if (err instanceof Released) {
      log.info({ subject: raw.subject, reason: err.message }, 'message released to other processes')
      raw.nak(stopping.aborted ? 0 : err.delayMs)
    } else if (!(err instanceof Exhausted) && (isOutage(err) || delivery < limit)) {
      log.warn({ err, subject: raw.subject, delivery }, 'handler failed; message will be redelivered')
      raw.nak(stopping.aborted ? 0 : backoffMs(delivery, { firstMs: 500, maxMs: 60_000 }))
    } else {
      const last = err instanceof Exhausted ? err.cause : err
      log.error(
        { err: last, subject: raw.subject },
        'handler failed too often; message moved to the dead-letter stream',
      )
      await consumption.onExhausted?.(consumption.parse(raw), raw, last)
      await deadLetter(bus, raw, last instanceof Error ? last.message : String(last))
      raw.term()
    }
  } finally {
    clearInterval(heartbeat)
  }
}

/** Throws MalformedMessage, and Released, BusUnavailable. */
async function read<Message>(raw: DeliveredMessage, consumption: Consumption<Message>): Promise<Message> {
  if (!raw.isIntact) await readAgain(raw, consumption)
  return consumption.parse(raw)
}

/** Reads a message from the stream that was delivered with other bytes than were sent. */
async function readAgain(
  raw: DeliveredMessage,
  { bus, log }: Pick<Consumption<unknown>, 'bus' | 'log'>,
): Promise<void> {
  const { stream, seq } = raw.info
  const stored = await ask(bus, () => found(bus.queries.streams.getMessage(stream, { seq })))
  if (!stored)
    throw new Released('it came with wrong bytes, and the stream does not have it: another process has handled it')
  if (!isIntact(stored.header, stored.data)) throw new MalformedMessage('the data are not those that were sent')
  const damage = damageOf(raw.data, stored.data)
  log.warn(
    { subject: raw.subject, seq, damage },
    'NATS delivered a message with wrong bytes; it is read from the stream',
  )
  raw.replaceBy(stored)
}

/** Copies a message to the stream DEAD_LETTERS, with the reason in its headers. */
async function deadLetter(bus: Bus, message: DeliveredMessage, reason: string): Promise<void> {
  const reasonHeaders = headers()
  reasonHeaders.set('Platen-Reason', reason.replace(/\s+/g, ' ').slice(0, 500))
  reasonHeaders.set('Platen-Subject', message.subject)
  reasonHeaders.set('Platen-Deliveries', String(message.info.deliveryCount))
  // Of the data as they were sent: nobody can take damaged ones for those.
  const checksum = message.headers?.get(checksumHeader)
  if (checksum) reasonHeaders.set(checksumHeader, checksum)
  await publish(bus, {
    subject: `dead-letters.${message.subject}`,
    payload: message.data,
    headers: reasonHeaders,
    messageId: `dead-letters-${message.info.stream}-${message.seq}`,
  })
}
