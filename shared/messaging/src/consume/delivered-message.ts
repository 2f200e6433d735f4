import { type Msg, type MsgHdrs, type NatsConnection, nanos, type StoredMsg } from 'nats'
import { isIntact } from '../envelopes/checksum.ts'

const confirmWithinMs = 1_500

/** JetStream's information about a delivery. */
export interface Delivery {
  stream: string
  /** Sequence number in the stream. */
  seq: number
  /** 1 for the first delivery. */
  deliveryCount: number
  /** When the message was stored. */
  timestampNanos: number
}

/**
 * A message that JetStream has delivered to a consumer, as the client's `fetch` would give it. The client cannot make one of a
 * message of a plain subscription, which `PullSubscription` needs.
 */
export class DeliveredMessage {
  readonly info: Delivery
  readonly #message: Msg
  #stored: StoredMsg | undefined
  #settled = false
  #begun = 0

  /** Throws for a message that is not of a consumer with acknowledgements. */
  constructor(message: Msg) {
    this.info = parseReplySubject(message.reply ?? '')
    this.#message = message
  }

  get subject(): string {
    return this.#message.subject
  }

  get data(): Uint8Array {
    return (this.#stored ?? this.#message).data
  }

  get headers(): MsgHdrs | undefined {
    return this.#stored ? this.#stored.header : this.#message.headers
  }

  /** To be called if the stream has other bytes than were delivered. */
  replaceBy(stored: StoredMsg): void {
    this.#stored = stored
  }

  /** Whether its data are those that were sent. */
  get isIntact(): boolean {
    return isIntact(this.headers, this.data)
  }

  /** The id that its sender has given it; empty without one. */
  get id(): string {
    return this.headers?.get('Nats-Msg-Id') ?? ''
  }

  get seq(): number {
    return this.info.seq
  }

  /**
   * Whether a handler has begun this message before: in an earlier delivery, or in this process before a dependency
   * became unavailable. It may have recorded events.
   */
  get wasBegun(): boolean {
    return this.info.deliveryCount > 1 || this.#begun > 1
  }

  /** A handler begins it. */
  begin(): void {
    this.#begun += 1
  }

  ack(): void {
    this.#settle('+ACK')
  }

  /** Resolves when JetStream has confirmed the acknowledgement: the message is not delivered again. Rejects without an answer. */
  async ackConfirmed(nats: NatsConnection): Promise<void> {
    await nats.request(this.#message.reply ?? '', '+ACK', { timeout: confirmWithinMs })
    this.#settled = true
  }

  /** The message is delivered again, after the delay. */
  nak(delayMs: number): void {
    this.#settle(delayMs > 0 ? `-NAK ${JSON.stringify({ delay: nanos(delayMs) })}` : '-NAK')
  }

  /** The message is not delivered again. */
  term(): void {
    this.#settle('+TERM')
  }

  /** The ack wait begins again. */
  working(): void {
    if (!this.#settled) this.#message.respond('+WPI')
  }

  #settle(answer: string): void {
    if (this.#settled) return
    this.#settled = true
    this.#message.respond(answer)
  }
}

/**
 * `$JS.ACK.<stream>.<consumer>.<deliveries>.<stream seq>.<consumer seq>.<time>.<pending>`. A server may add the domain and the
 * hash of the account after `$JS.ACK`, and tokens at the end.
 * https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-15.md
 */
function parseReplySubject(subject: string): Delivery {
  const [js, ack, ...tokens] = subject.split('.')
  const [stream = '', , deliveryCount, seq, , timestampNanos] = tokens.length === 7 ? tokens : tokens.slice(2)
  if (js !== '$JS' || ack !== 'ACK' || timestampNanos === undefined) {
    throw new Error(`the message was not delivered by a consumer: ${subject}`)
  }
  return { stream, seq: Number(seq), deliveryCount: Number(deliveryCount), timestampNanos: Number(timestampNanos) }
}
