import { msUntilBeat } from '@platen/foundation/runtime/beat.ts'
import { type ConsumerInfo, type Msg, type NatsConnection, NatsError, nanos } from 'nats'
import type { Bus } from '../connection/bus.ts'
import { DeliveredMessage } from './delivered-message.ts'

/** The server ends the requests of all consumers of a process together, and they are sent again together. */
const expiresEveryMs = 5_000
/** The server's message that a request has ended is assumed to be lost this long after the end. */
const lostAfterMs = 1_000

interface Request {
  subject: string
  left: number
  end: (err?: Error) => void
}

/**
 * Pulls messages of a durable consumer on one subscription. Unlike with the client's `fetch`, a message that the server
 * sends at the end of a request is received however late it arrives. `fetch` unsubscribes 50 ms after the end, and the
 * message is delivered again only after its ack wait.
 */
export class PullSubscription {
  readonly #nats: NatsConnection
  readonly #nextSubject: string
  readonly #inbox: string
  readonly #drain: () => Promise<void>
  #request: Request | undefined
  #requests = 0

  constructor(
    { nats, newInbox }: Pick<Bus, 'nats' | 'newInbox'>,
    { stream_name, name }: Pick<ConsumerInfo, 'stream_name' | 'name'>,
    onMessage: (message: DeliveredMessage) => void,
  ) {
    this.#nats = nats
    this.#inbox = newInbox()
    this.#nextSubject = `$JS.API.CONSUMER.MSG.NEXT.${stream_name}.${name}`
    const subscription = nats.subscribe(`${this.#inbox}.*`, {
      callback: (err, message) => {
        if (err) this.#request?.end(err)
        else if (message.subject.startsWith(`${this.#inbox}.`)) this.#onStatus(message)
        else {
          onMessage(new DeliveredMessage(message))
          this.#onMessage()
        }
      },
    })
    this.#drain = () => subscription.drain()
  }

  /**
   * Asks for `count` messages. Resolves when they have arrived or none has come for a while, with whether the server has ended
   * the request. Rejects if the server refuses it, for example because the consumer was deleted or has no leader. One request at
   * a time.
   */
  async request(count: number): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    const subject = `${this.#inbox}.${++this.#requests}`
    const expiresMs = msUntilBeat(expiresEveryMs)
    const lost = setTimeout(resolve, expiresMs + lostAfterMs, false).unref()
    const request: Request = { subject, left: count, end: (err) => (err ? reject(err) : resolve(true)) }
    this.#request = request
    try {
      this.#nats.publish(this.#nextSubject, JSON.stringify({ batch: count, expires: nanos(expiresMs) }), {
        reply: subject,
      })
      return await promise
    } finally {
      clearTimeout(lost)
      // Nobody may wait for this request any more, and another one may be running.
      if (this.#request === request) this.#request = undefined
    }
  }

  /**
   * Ends the subscription. Messages that the server has already sent are received until the promise resolves; on a busy
   * machine some may be unread when the last request is assumed to be lost. Rejects if the connection is lost.
   */
  drain(): Promise<void> {
    return this.#drain()
  }

  #onMessage(): void {
    const request = this.#request
    if (request && --request.left === 0) request.end()
  }

  /** https://docs.nats.io/reference/reference-protocols/nats_api_reference#fetching-from-a-pull-consumer */
  #onStatus({ subject, headers }: Msg): void {
    const { code = 0, description = '' } = headers ?? {}
    // The end of an earlier request that was assumed to be lost.
    if (subject !== this.#request?.subject) return
    const ended = code === 404 || code === 408
    this.#request.end(ended ? undefined : new NatsError(description || 'the pull request was refused', String(code)))
  }
}
