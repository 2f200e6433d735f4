import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { ask } from '@platen/messaging/connection/ask.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { publish } from '@platen/messaging/publish/publish.ts'
import { type DurableConsumer, deleted, found } from '@platen/messaging/streams/streams.ts'
import type { MsgRequest, StoredMsg } from 'nats'

/** `leave`: it cannot be told yet. */
export type Fate = 'done' | 'lost' | 'leave'

export interface SweepOptions {
  bus: Bus
  consumer: DurableConsumer
  /** The fate of the command, from the record of the service that handles it. */
  fateOf: (message: StoredMsg) => Promise<Fate> | Fate
  /** A command that seems lost is checked again after this time, as it may just be acknowledged. Default: 2 s. */
  confirmAfterMs?: number
  log: Logger
  stopping: AbortSignal
}

/**
 * Removes commands that their consumer has acknowledged, but that are still in the stream and count as queued.
 * nats-server 2.9 leaves some when it is killed, later versions after a full disk. nats-server 2.10 can also store a
 * command with a sequence number that the consumer has passed: it is never delivered, and is sent again here.
 */
export async function sweepAcknowledged(options: SweepOptions): Promise<void> {
  const { bus, consumer, fateOf, confirmAfterMs = 2_000, log, stopping } = options
  const { stream, durable, filterSubject } = consumer
  const info = await ask(bus, () => found(bus.queries.consumers.info(stream, durable)))
  const last = info?.ack_floor.stream_seq ?? 0
  const swept = { done: 0, sentAgain: 0 }
  const seemLost: number[] = []
  const remove = (seq: number) => ask(bus, () => deleted(bus.jsm.streams.deleteMessage(stream, seq, false)))
  for (let seq = 1; seq <= last && !stopping.aborted; ) {
    // The types of the client know this request only for direct gets.
    const request = { next_by_subj: filterSubject, seq } as MsgRequest
    const message = await ask(bus, () => found(bus.queries.streams.getMessage(stream, request)))
    if (!message || message.seq > last) break
    const fate = await fateOf(message)
    if (fate === 'lost') seemLost.push(message.seq)
    if (fate === 'done') {
      await remove(message.seq)
      swept.done++
    }
    seq = message.seq + 1
  }
  if (seemLost.length > 0) await sleep(confirmAfterMs, stopping)
  for (const seq of seemLost) {
    if (stopping.aborted) break
    const message = await ask(bus, () => found(bus.queries.streams.getMessage(stream, { seq })))
    if (!message || (await fateOf(message)) !== 'lost') continue
    await sendAgain(bus, message)
    await remove(seq)
    swept.sentAgain++
  }
  if (swept.done + swept.sentAgain === 0) return
  log.warn(
    { stream, consumer: durable, removed: swept.done, sent_again: swept.sentAgain },
    'acknowledged commands swept',
  )
}

async function sendAgain(bus: Bus, { subject, data, header, seq, time }: StoredMsg): Promise<void> {
  const messageId = `again-${seq}-${time.getTime()}`
  await publish(bus, { subject, payload: data, headers: header, messageId })
}
