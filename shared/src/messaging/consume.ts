import type { Consumer, JsMsg } from 'nats'
import { DependencyUnavailable } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { retryWhileUnavailable } from '../runtime/retry-while-unavailable.ts'
import { backoffMs, sleep } from '../runtime/sleep.ts'
import type { Bus } from './bus.ts'
import { MalformedMessage } from './command-codec.ts'
import { deadLetter } from './dead-letter.ts'
import { ackWaitMs } from './streams.ts'

/** A message that fails this often at its own fault is given up. */
export const maxDeliveries = 5

export interface Consumption<Message> {
  bus: Bus
  /** Called again when the consumer is lost. */
  open: () => Promise<Consumer>
  concurrency: number
  /** Throws MalformedMessage. */
  parse: (message: JsMsg) => Message
  /** Must be idempotent. DependencyUnavailable: tried again here while the part is away. Any other error: redelivered. */
  handle: (message: Message, raw: JsMsg) => Promise<void>
  /** The last word on a message that failed too often, before it is buried. */
  onExhausted?: (message: Message, raw: JsMsg, err: unknown) => Promise<void>
  log: Logger
  stopping: AbortSignal
}

/**
 * Pulls as many messages as there are free hands and settles every one; resolves once `stopping` has aborted and what
 * was in hand is done.
 */
export async function consume<Message>(consumption: Consumption<Message>): Promise<void> {
  const { bus, concurrency, log, stopping } = consumption
  const inFlight = new Set<Promise<void>>()
  const start = (message: JsMsg) => {
    const work = settle(message, consumption)
      .catch((err) => log.error({ err, seq: message.seq }, 'left unsettled: the broker will redeliver'))
      .finally(() => inFlight.delete(work))
    inFlight.add(work)
  }
  let consumer: Consumer | undefined
  while (!stopping.aborted) {
    try {
      consumer ??= await consumption.open()
      const batch = await consumer.fetch({ max_messages: concurrency - inFlight.size, expires: 1_000 })
      for await (const message of batch) start(message)
    } catch (err) {
      consumer = undefined
      log.warn({ err }, 'cannot pull, trying again')
      await sleep(1_000, stopping)
    }
    if (inFlight.size >= concurrency) await Promise.race(inFlight)
  }
  await Promise.all(inFlight)
  // The last acks are on their way before anybody closes the connection.
  if (bus.connected) await bus.nats.flush().catch((err) => log.warn({ err }, 'the last acks may be lost'))
}

async function settle<Message>(raw: JsMsg, consumption: Consumption<Message>): Promise<void> {
  const { bus, log, stopping } = consumption
  const heartbeat = setInterval(() => raw.working(), ackWaitMs / 3)
  try {
    const message = consumption.parse(raw)
    if (raw.info.deliveryCount > maxDeliveries) throw new Error(`delivered ${raw.info.deliveryCount} times`)
    await retryWhileUnavailable(() => consumption.handle(message, raw), consumption)
    // Not confirmed: were it lost, the message would come again and find itself handled.
    raw.ack()
  } catch (err) {
    if (err instanceof MalformedMessage) {
      log.error({ err, subject: raw.subject }, 'unreadable message')
      await deadLetter(bus, raw, err.message)
      raw.term()
    } else if (err instanceof DependencyUnavailable || raw.info.deliveryCount < maxDeliveries) {
      log.warn({ err, subject: raw.subject, delivery: raw.info.deliveryCount }, 'not handled, to be redelivered')
      raw.nak(stopping.aborted ? 0 : backoffMs(raw.info.deliveryCount, { firstMs: 500, maxMs: 60_000 }))
    } else {
      log.error({ err, subject: raw.subject }, 'given up')
      await consumption.onExhausted?.(consumption.parse(raw), raw, err)
      await deadLetter(bus, raw, err instanceof Error ? err.message : String(err))
      raw.term()
    }
  } finally {
    clearInterval(heartbeat)
  }
}
