import { randomUUID } from 'node:crypto'
import { DomainError } from '@platen/foundation/errors/errors.ts'
import type { Failure } from '@platen/foundation/errors/failure.ts'
import { parseExact, stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { NatsConnection } from 'nats'
import type { DeliveredMessage } from '../consume/delivered-message.ts'
import { parseJson } from '../envelopes/command-codec.ts'

/** The header with the subject for a command's reply. JetStream uses the message's own reply subject for the PubAck. */
export const replyToHeader = 'Platen-Reply-To'

export type Reply<Value> = { ok: true; value: Value } | { ok: false; failure: Failure }

/** Publishes the reply to a command. The reply is lost if the sender no longer waits. */
export function sendReply(nats: NatsConnection, message: DeliveredMessage, reply: Reply<unknown>): void {
  const subject = message.headers?.get(replyToHeader)
  if (!subject) return
  const json = stringifyExact(reply)
  if (!inboxes.get(nats)?.receive(subject, json)) nats.publish(subject, json)
}

/**
 * A subject for answers that nobody can guess, not even who has seen others of this process. They are not those of the NATS client, whose
 * next one can be computed from the last: a renderer may answer here, and not where JetStream answers the other services.
 */
export const newReplySubject = (): string => `replies.${randomUUID()}`

/** The inbox of each connection: a reply to its own process takes no way through NATS. */
const inboxes = new WeakMap<NatsConnection, LocalInbox>()

interface LocalInbox {
  /** Whether this process is waiting for a reply with this subject. */
  receive(subject: string, json: string): boolean
}

export interface PendingReply<Value> extends Disposable {
  readonly subject: string
  readonly answer: Promise<Reply<Value>>
}

/** Receives all replies of a process on one subscription. */
export interface Inbox extends Disposable {
  /** `answer` stays pending if no reply arrives: race it against a timeout, then dispose of it. */
  expect<Value>(): PendingReply<Value>
}

export function openInbox(nats: NatsConnection): Inbox {
  const prefix = newReplySubject()
  const waiting = new Map<string, (reply: Reply<never>) => void>()
  const subscription = nats.subscribe(`${prefix}.*`, {
    callback: (err, message) => {
      if (err) return
      waiting.get(message.subject)?.(parseJson(message.data) as Reply<never>)
    },
  })
  const local: LocalInbox = {
    receive(subject, json) {
      const resolve = waiting.get(subject)
      resolve?.(parseExact(json) as Reply<never>)
      return resolve !== undefined
    },
  }
  inboxes.set(nats, local)
  return {
    expect<Value>() {
      const subject = `${prefix}.${randomUUID()}`
      const { promise, resolve } = Promise.withResolvers<Reply<Value>>()
      waiting.set(subject, resolve)
      return { subject, answer: promise, [Symbol.dispose]: () => waiting.delete(subject) }
    },
    [Symbol.dispose]() {
      if (inboxes.get(nats) === local) inboxes.delete(nats)
      subscription.unsubscribe()
    },
  }
}

/**
 * Handlers for `consume({ …, ...answering(nats, decide) })` that reply with the value of `handle` or with its
 * DomainError, which is sent only once the command cannot be delivered again. Other errors lead to redelivery, and to a
 * reply with INTERNAL_ERROR when the last delivery has failed. A malformed command gets that reply at once.
 */
export function answering<Message>(
  nats: NatsConnection,
  handle: (message: Message, raw: DeliveredMessage) => Promise<unknown>,
) {
  return {
    async handle(message: Message, raw: DeliveredMessage): Promise<void> {
      try {
        sendReply(nats, raw, { ok: true, value: await handle(message, raw) })
      } catch (err) {
        if (!(err instanceof DomainError)) throw err
        // A refusal is not recorded, and a command that is delivered again may be accepted. So it is sent only after
        // the ack is confirmed.
        await raw.ackConfirmed(nats)
        sendReply(nats, raw, { ok: false, failure: err.toFailure() })
      }
    },
    async onMalformed(raw: DeliveredMessage): Promise<void> {
      const failure: Failure = raw.isIntact
        ? { code: 'INTERNAL_ERROR', message: 'The command could not be read' }
        : { code: 'SERVICE_UNAVAILABLE', message: 'The command was damaged on its way; retry' }
      sendReply(nats, raw, { ok: false, failure })
    },
    async onExhausted(_: Message, raw: DeliveredMessage): Promise<void> {
      const failure: Failure = { code: 'INTERNAL_ERROR', message: 'The command failed too often' }
      sendReply(nats, raw, { ok: false, failure })
    },
  }
}
