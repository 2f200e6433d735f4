import { createInbox, type JsMsg, type NatsConnection } from 'nats'
import type { Failure } from '../contracts/failure.ts'
import { DomainError } from '../runtime/errors.ts'
import { newId } from '../runtime/ids.ts'
import { parseJson } from './command-codec.ts'

/** A command's message is answered by the subject in this header: the reply subject proper belongs to the PubAck. */
export const replyToHeader = 'Platen-Reply-To'

export type Reply<Value> = { ok: true; value: Value } | { ok: false; failure: Failure }

/** Tells whoever waits; nobody waiting is no error. */
export function sendReply(nats: NatsConnection, message: JsMsg, reply: Reply<unknown>): void {
  const subject = message.headers?.get(replyToHeader)
  if (subject) nats.publish(subject, JSON.stringify(reply))
}

export interface PendingReply<Value> extends Disposable {
  readonly subject: string
  readonly answer: Promise<Reply<Value>>
}

/** One subscription for all answers of a process. */
export interface Inbox extends Disposable {
  /** Never resolves when no answer comes: race it against a deadline, and dispose of it afterwards. */
  expect<Value>(): PendingReply<Value>
}

export function openInbox(nats: NatsConnection): Inbox {
  const prefix = createInbox()
  const waiting = new Map<string, (reply: Reply<never>) => void>()
  const subscription = nats.subscribe(`${prefix}.*`, {
    callback: (err, message) => {
      if (err) return
      waiting.get(message.subject)?.(parseJson(message.data) as Reply<never>)
    },
  })
  return {
    expect<Value>() {
      const subject = `${prefix}.${newId('msg')}`
      const { promise, resolve } = Promise.withResolvers<Reply<Value>>()
      waiting.set(subject, resolve)
      return { subject, answer: promise, [Symbol.dispose]: () => waiting.delete(subject) }
    },
    [Symbol.dispose]: () => subscription.unsubscribe(),
  }
}

/**
 * A handler whose value or refusal is an answer: `consume({ …, ...answering(nats, decide) })`. Only faults are
 * redelivered; once given up, whoever waits is told.
 */
export function answering<Message>(nats: NatsConnection, handle: (message: Message) => Promise<unknown>) {
  return {
    async handle(message: Message, raw: JsMsg): Promise<void> {
      try {
        sendReply(nats, raw, { ok: true, value: await handle(message) })
      } catch (err) {
        if (!(err instanceof DomainError)) throw err
        sendReply(nats, raw, { ok: false, failure: err.toFailure() })
      }
    },
    async onExhausted(_: Message, raw: JsMsg): Promise<void> {
      const failure: Failure = { code: 'INTERNAL_ERROR', message: 'The command failed too often and was given up' }
      sendReply(nats, raw, { ok: false, failure })
    },
  }
}
