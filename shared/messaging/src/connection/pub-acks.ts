import { type ApiError, ErrorCode, type Msg, type MsgHdrs, type NatsConnection, NatsError, type PubAck } from 'nats'

export interface Publication {
  subject: string
  payload: Uint8Array | string
  headers: MsgHdrs
  /** The answer is not waited for longer. */
  timeoutMs: number
}

interface Waiting {
  subject: string
  timer: NodeJS.Timeout
  resolve(ack: PubAck): void
  reject(err: Error): void
}

type Answer = PubAck & { error?: ApiError }

const noResponders = 503

/**
 * Publishes messages to JetStream and receives all answers on one subscription. The client's `publish` makes a request of each
 * message, which also records a stack when it ends: a tenth of the processor time that a small document costs Node.js.
 */
export class PubAcks {
  readonly #nats: NatsConnection
  readonly #inbox: string
  readonly #waiting = new Map<string, Waiting>()
  #last = 0

  constructor(nats: NatsConnection, inbox: string) {
    this.#nats = nats
    this.#inbox = inbox
    nats.subscribe(`${this.#inbox}.*`, {
      callback: (err, message) => {
        if (err) this.#rejectAll(() => true, err)
        else this.#onAnswer(message)
      },
    })
  }

  /**
   * Resolves with JetStream's answer that the message is stored. Rejects with a NatsError: of its API if the message is
   * refused, NoResponders if no stream takes the subject or it has no leader, or Timeout, also if the answer is lost
   * with the connection.
   */
  publish({ subject, payload, headers, timeoutMs }: Publication): Promise<PubAck> {
    const { promise, resolve, reject } = Promise.withResolvers<PubAck>()
    const reply = `${this.#inbox}.${++this.#last}`
    const timer = setTimeout(() => this.#take(reply)?.reject(NatsError.errorForCode(ErrorCode.Timeout)), timeoutMs)
    this.#waiting.set(reply, { subject, timer, resolve, reject })
    try {
      this.#nats.publish(subject, payload, { reply, headers })
    } catch (err) {
      this.#take(reply)?.reject(err as Error)
    }
    return promise
  }

  /** The server refuses publications of this login to the subject. It reports that once, without naming the message. */
  refused(subject: string): void {
    const violation = new NatsError(`permissions violation for publish to "${subject}"`, ErrorCode.PermissionsViolation)
    this.#rejectAll((waiting) => waiting.subject === subject, violation)
  }

  #onAnswer(message: Msg): void {
    const waiting = this.#take(message.subject)
    if (!waiting) return
    try {
      waiting.resolve(parse(message))
    } catch (err) {
      waiting.reject(err as Error)
    }
  }

  /** Removes and returns the publication that waits for the answer. */
  #take(reply: string): Waiting | undefined {
    const waiting = this.#waiting.get(reply)
    if (!waiting) return undefined
    clearTimeout(waiting.timer)
    this.#waiting.delete(reply)
    return waiting
  }

  #rejectAll(isOf: (waiting: Waiting) => boolean, err: Error): void {
    for (const [reply, waiting] of this.#waiting) if (isOf(waiting)) this.#take(reply)?.reject(err)
  }
}

/** https://docs.nats.io/reference/reference-protocols/nats_api_reference#publishing-to-a-stream */
function parse(message: Msg): PubAck {
  const isEmpty = message.data.length === 0
  if (isEmpty && message.headers?.code === noResponders) throw NatsError.errorForCode(ErrorCode.NoResponders)
  const { error, duplicate = false, ...ack } = message.json<Answer>()
  if (error) throw Object.assign(new NatsError(error.description, String(error.code)), { api_error: error })
  if (!ack.stream) throw NatsError.errorForCode(ErrorCode.JetStreamInvalidAck)
  return { ...ack, duplicate }
}
