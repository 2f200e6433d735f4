import type { CommandMetadata } from '@platen/foundation/command.ts'
import { DependencyUnavailable, DomainError } from '@platen/foundation/errors/errors.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import { backoffMs, sleep } from '@platen/foundation/runtime/sleep.ts'
import { ask } from '@platen/messaging/connection/ask.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { DeliveredMessage } from '@platen/messaging/consume/delivered-message.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import type { MsgRequest, StoredMsg } from 'nats'

export interface InOrderOptions {
  bus: Bus
  now: () => number
  stopping: AbortSignal
}

const maxSubjects = 10_000

/**
 * Delays the handler of a command until no earlier command of its subject is in the stream, in whichever process. A
 * command after its deadline, or without one, delays no other. Throws DependencyUnavailable.
 */
export function inOrder<Message>(
  { bus, now, stopping }: InOrderOptions,
  handle: (message: Message, raw: DeliveredMessage) => Promise<void>,
): (message: Message, raw: DeliveredMessage) => Promise<void> {
  /**
   * The last command of each subject that delays no other because its deadline has passed. A command that was handled
   * here delays others until it has left the stream: if its ack is lost, it is delivered again, and if it was refused
   * or changed nothing, it is decided again.
   */
  const passed = new LruCache<number>({ maxCount: maxSubjects, maxWeight: Number.POSITIVE_INFINITY })
  const waitForEarlier = async (raw: DeliveredMessage) => {
    for (let attempt = 1; ; attempt++) {
      const earliest = await firstAfter(bus, raw, passed.get(raw.subject) ?? 0)
      if (!earliest || earliest.seq >= raw.seq) return
      if (!mayBeExecuted(earliest, now())) {
        passed.set(raw.subject, earliest.seq)
        continue
      }
      await sleep(backoffMs(attempt, { firstMs: 4, maxMs: 20 }), stopping)
      if (stopping.aborted) throw new DependencyUnavailable('stopping while an earlier command is being handled')
    }
  }
  /** The last command of each subject that was delivered here. */
  const running = new Map<string, { seq: number; ended: Promise<unknown> }>()
  return async (message, raw) => {
    const before = running.get(raw.subject)
    const work = async () => {
      // A redelivered message arrives after later ones, which wait for it.
      if (before && before.seq < raw.seq) await before.ended
      await waitForEarlier(raw)
      await handle(message, raw)
    }
    const result = work()
    const mine = { seq: raw.seq, ended: result.catch(() => {}) }
    running.set(raw.subject, mine)
    try {
      await result
    } finally {
      if (running.get(raw.subject) === mine) running.delete(raw.subject)
    }
  }
}

/**
 * To be called before each append, after the stream of the template or partial was read. A command that has left
 * COMMANDS was answered by another process while this one was suspended. If that answer changed nothing, the event
 * store has no trace of it, and later commands may have been answered since. Throws DomainError SERVICE_UNAVAILABLE,
 * and BusUnavailable.
 */
export async function refuseIfAnswered(bus: Bus, { info: { stream, seq } }: DeliveredMessage): Promise<void> {
  if (await ask(bus, () => found(bus.queries.streams.getMessage(stream, { seq })))) return
  throw new DomainError('SERVICE_UNAVAILABLE', 'The command was answered by another process; retry')
}

/** The first command of the subject behind a sequence number. Undefined if there is none: an ack may have been lost. */
function firstAfter(bus: Bus, { subject, info }: DeliveredMessage, seq: number): Promise<StoredMsg | undefined> {
  // The types of the client know this request only for direct gets, which a lagging replica may answer.
  const request = { next_by_subj: subject, seq: seq + 1 } as MsgRequest
  return ask(bus, () => found(bus.queries.streams.getMessage(info.stream, request)))
}

function mayBeExecuted({ data }: StoredMsg, nowMs: number): boolean {
  try {
    const { metadata } = JSON.parse(Buffer.from(data).toString()) as { metadata: CommandMetadata }
    return metadata.deadline !== undefined && nowMs <= Date.parse(metadata.deadline)
  } catch {
    return false
  }
}
