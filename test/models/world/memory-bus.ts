import type { Bus } from '@platen/messaging/connection/bus.ts'
import { DeliveredMessage } from '@platen/messaging/consume/delivered-message.ts'
import { ErrorCode, headers, type Msg, type MsgHdrs, NatsError } from 'nats'
import { type Action, type Fault, type ModelProcess, renamed, type World } from './world.ts'

export interface StoredMessage {
  seq: number
  subject: string
  data: Uint8Array
  header: MsgHdrs
  messageId: string | undefined
  atMs: number
}

interface Stream {
  created: string
  lastSeq: number
  messages: StoredMessage[]
  /** Messages by id: JetStream drops a second message within the window. */
  known: Map<string, { seq: number; atMs: number }>
}

interface Subscription {
  subject: string
  callback: (err: null, message: Pick<Msg, 'subject' | 'data' | 'headers'>) => void
  process: ModelProcess
}

interface InFlight {
  subject: string
  data: Uint8Array
}

const config = { allow_direct: true }
const duplicateWindowMs = 120_000

const notStored: Fault = {
  name: 'NATS does not answer',
  effect: 'none',
  error: () => new NatsError('timeout', ErrorCode.Timeout),
}
const ackLost: Fault = { ...notStored, name: 'the PubAck is lost', effect: 'before' }

/** A bucket that is small enough to be filled. */
export interface SmallBucket {
  name: string
  maxBytes: number
  /** What an entry takes. */
  bytesOf: (key: string) => number
}

/** NATS with JetStream in memory, as far as the product uses it. Each request is one step of the process that makes it. */
export class MemoryBus {
  readonly #world: World
  readonly #small: SmallBucket | undefined
  readonly #streams = new Map<string, Stream>()
  readonly #subscriptions = new Set<Subscription>()
  readonly #inFlight: InFlight[] = []
  /** Called when a stream has a new message. */
  onStored: (stream: string, message: StoredMessage) => void = () => {}

  constructor(world: World, small?: SmallBucket) {
    this.#world = world
    this.#small = small
  }

  /** The connection of a process. Only the parts of the client that the product uses are there. */
  get bus(): Bus {
    const jsm = {
      streams: {
        // Of another bucket it only says that the bucket exists, and is far from full.
        info: async (stream: string, query?: { subjects_filter?: string }) =>
          stream.startsWith('KV_') && !this.#isSmall(stream)
            ? { config, state: { bytes: 0 } }
            : this.#world.step(`info of ${stream}`, () => this.#info(stream, query?.subjects_filter)),
        getMessage: (stream: string, query: MessageQuery) =>
          this.#world.step(`message ${JSON.stringify(query)} of ${stream}`, () => this.#message(stream, query)),
        deleteMessage: (stream: string, seq: number) =>
          this.#world.step(`delete message ${seq} of ${stream}`, () => {
            const isThere = this.#stream(stream).messages.some((message) => message.seq === seq)
            this.remove(stream, seq)
            if (!isThere) throw apiError(404, 10037, 'no message found')
            return true
          }),
      },
      jetstream: () => js,
    }
    const js = {
      views: { kv: async (name: string) => this.#keyValue(name) },
    }
    const acks: Pick<Bus['acks'], 'publish'> = {
      publish: async ({ subject, payload, headers }) => {
        const last = headers.get('Nats-Expected-Last-Subject-Sequence')
        const options = {
          msgID: headers.get('Nats-Msg-Id') || undefined,
          headers,
          expect: last === '' ? undefined : { lastSubjectSequence: Number(last) },
        }
        return this.#world.step(`publish ${subject}`, () => this.#publish(subject, payload, options), [
          notStored,
          ackLost,
        ])
      },
    }
    const nats = {
      publish: (subject: string, payload: Uint8Array | string) => {
        this.#world.changes(`messages to ${this.#nameOf(subject)}`)
        this.#inFlight.push({ subject, data: Buffer.from(payload) })
        // Of messages that are on their way at once, it makes no difference which one was sent first.
        this.#inFlight.sort((one, other) => (this.#textOf(one) < this.#textOf(other) ? -1 : 1))
      },
      subscribe: (subject: string, { callback }: Pick<Subscription, 'callback'>) => {
        const process = this.#world.current()
        const subscription = { subject, callback, process }
        this.#subscriptions.add(subscription)
        return { unsubscribe: () => this.#subscriptions.delete(subscription) }
      },
    }
    const clock = { now: () => Date.now() }
    const common = { nats, js, acks, jsm, queries: jsm, clock, connected: true, managesStreams: true }
    const none = async () => {}
    return {
      ...common,
      writes: { stored() {}, failed() {}, check() {}, storedBeforeMs: 0 },
      lost: new Promise(() => {}),
      whenConnected: none,
      untilDisconnected: (answer: Promise<unknown>) => answer,
      check: none,
      [Symbol.asyncDispose]: none,
    } as unknown as Bus
  }

  /** Messages without JetStream, such as replies: each arrives, or is lost, at any time. */
  actions({ mayLose = false } = {}): Action[] {
    return this.#inFlight.flatMap((message, index) => {
      const leave = () => {
        this.#world.changes(`messages to ${this.#nameOf(message.subject)}`)
        this.#inFlight.splice(index, 1)
      }
      const arrive = () => {
        leave()
        for (const { callback, process } of this.#subscribers(message.subject)) {
          const received = { subject: message.subject, data: message.data, headers: undefined as unknown as MsgHdrs }
          this.#world.tell(process, `reply ${Buffer.from(message.data)}`, () => callback(null, received))
        }
      }
      const what = `a message to ${this.#nameOf(message.subject)}`
      const arrival = { label: `${what} arrives`, run: arrive }
      return mayLose ? [arrival, { label: `${what} is lost`, run: leave }] : [arrival]
    })
  }

  #textOf({ subject, data }: InFlight): string {
    return renamed(`${this.#nameOf(subject)} ${data}`, new Map())
  }

  #subscribers(subject: string): Subscription[] {
    return [...this.#subscriptions].filter((one) => matches(one.subject, subject))
  }

  /** An inbox has a random name. It is of the process that subscribes to it. */
  #nameOf(subject: string): string {
    return subject.startsWith('_INBOX.') ? (this.#subscribers(subject)[0]?.process.name ?? 'nobody') : subject
  }

  #headersOf(header: MsgHdrs) {
    return header.keys().map((key) => [key, this.#nameOf(header.get(key))])
  }

  messages(stream: string): readonly StoredMessage[] {
    return this.#stream(stream).messages
  }

  /** As after an acknowledgement, or when a server has lost what it had not flushed. */
  remove(stream: string, seq: number, { forget = false } = {}): void {
    this.#world.changes(stream)
    const { messages, known } = this.#stream(stream)
    const index = messages.findIndex((message) => message.seq === seq)
    const [removed] = index < 0 ? [] : messages.splice(index, 1)
    if (forget && removed?.messageId !== undefined) known.delete(removed.messageId)
  }

  /** Entries of a bucket go after their time. */
  expire(bucket: string, ttlMs: number): void {
    const stream = `KV_${bucket}`
    const old = this.messages(stream).filter(({ atMs }) => atMs + ttlMs <= this.#world.nowMs)
    for (const { seq } of old) this.remove(stream, seq)
  }

  /** The last message and all that is known of it are lost. */
  loseLast(stream: string): void {
    const found = this.#stream(stream)
    const last = found.messages.at(-1)
    if (!last) return
    this.remove(stream, last.seq, { forget: true })
    found.lastSeq = found.messages.at(-1)?.seq ?? 0
  }

  /** A message as a consumer gets it. */
  delivered(stream: string, message: StoredMessage, deliveryCount: number): DeliveredMessage {
    const { seq, subject, data, header, atMs } = message
    const reply = `$JS.ACK.${stream}.consumer.${deliveryCount}.${seq}.${seq}.${atMs}000000.0`
    const respond = () => true
    return new DeliveredMessage({ subject, data, headers: header, reply, respond } as unknown as Msg)
  }

  #stream(name: string): Stream {
    const known = this.#streams.get(name)
    if (known) return known
    const stream: Stream = { created: '2025-01-01T00:00:00Z', lastSeq: 0, messages: [], known: new Map() }
    this.#streams.set(name, stream)
    return stream
  }

  #publish(
    subject: string,
    payload: Uint8Array | string,
    { msgID, headers: header = headers(), expect }: PublishOptions,
  ) {
    const name = streamOf(subject)
    const stream = this.#stream(name)
    const nowMs = this.#world.nowMs
    this.#world.reads(name)
    const earlier = msgID === undefined ? undefined : stream.known.get(msgID)
    if (earlier && nowMs - earlier.atMs < duplicateWindowMs) return { stream: name, seq: earlier.seq, duplicate: true }
    const expected = expect?.lastSubjectSequence
    const last = stream.messages.findLast((message) => message.subject === subject)
    if (expected !== undefined && expected !== (last?.seq ?? 0)) throw apiError(400, 10071, 'wrong last sequence')
    if (this.#isSmall(name) && this.#bytesWith(stream, subject) > (this.#small?.maxBytes ?? 0))
      throw apiError(503, 10077, 'maximum bytes exceeded')
    this.#world.changes(name)
    const seq = ++stream.lastSeq
    const message = { seq, subject, data: Buffer.from(payload), header, messageId: msgID, atMs: nowMs }
    // A bucket has one value of each key.
    if (name.startsWith('KV_') && last) stream.messages.splice(stream.messages.indexOf(last), 1)
    stream.messages.push(message)
    if (msgID !== undefined) stream.known.set(msgID, { seq, atMs: nowMs })
    this.onStored(name, message)
    return { stream: name, seq, duplicate: false }
  }

  #info(name: string, filter = '') {
    this.#world.reads(name)
    const { created, messages, lastSeq } = this.#stream(name)
    const wanted = messages.filter(({ subject }) => matches(filter, subject))
    const subjects = Object.fromEntries(wanted.map(({ subject }) => [subject, 1]))
    const counts = { messages: messages.length, first_seq: messages[0]?.seq ?? 0, last_seq: lastSeq, subjects }
    if (!this.#isSmall(name)) return { config, created, state: counts }
    const bytes = this.#bytesWith(this.#stream(name))
    return { config: { ...config, max_bytes: this.#small?.maxBytes }, created, state: { ...counts, bytes } }
  }

  #isSmall(stream: string): boolean {
    return this.#small !== undefined && stream === `KV_${this.#small.name}`
  }

  /** What the entries of the small bucket take, with one more. */
  #bytesWith({ messages }: Stream, added?: string): number {
    const subjects = new Set([...messages.map(({ subject }) => subject), ...(added === undefined ? [] : [added])])
    const prefix = `$KV.${this.#small?.name}.`
    return [...subjects].reduce((sum, subject) => sum + (this.#small?.bytesOf(subject.slice(prefix.length)) ?? 0), 0)
  }

  /** What is free of the small bucket, without a step, for invariants. */
  get freeBytes(): number {
    const { name, maxBytes } = this.#small ?? { name: '', maxBytes: 0 }
    return maxBytes - this.#bytesWith(this.#stream(`KV_${name}`))
  }

  /** The keys of a bucket, without a step. */
  keysOf(bucket: string): string[] {
    return this.#stream(`KV_${bucket}`).messages.map(({ subject }) => subject.slice(`$KV.${bucket}.`.length))
  }

  #message(name: string, { seq = 0, last_by_subj, next_by_subj }: MessageQuery) {
    this.#world.reads(name)
    const { messages } = this.#stream(name)
    const isWanted = (one: StoredMessage) => {
      if (next_by_subj !== undefined) return one.seq >= seq && matches(next_by_subj, one.subject)
      return last_by_subj === undefined ? one.seq === seq : matches(last_by_subj, one.subject)
    }
    const message = next_by_subj === undefined ? messages.findLast(isWanted) : messages.find(isWanted)
    if (!message) throw apiError(404, 10037, 'no message found')
    return readable(message)
  }

  #keyValue(bucket: string) {
    const find = (key: string) => {
      this.#world.reads(`KV_${bucket}`)
      const subject = `$KV.${bucket}.${key}`
      const message = this.#stream(`KV_${bucket}`).messages.find((one) => one.subject === subject)
      if (!message) return null
      const operation = message.header.get('KV-Operation') || 'PUT'
      const toJSON = () => [message.seq, operation, Buffer.from(message.data).toString()]
      return { ...readable(message), revision: message.seq, operation, toJSON }
    }
    return {
      get: (key: string) => this.#world.step(`get ${key} of ${bucket}`, () => find(key)),
      put: (key: string, value: string) =>
        this.#world.step(`put ${key} of ${bucket}`, () => this.#publish(`$KV.${bucket}.${key}`, value, {}).seq),
    }
  }

  /** The value of a key, without a step. */
  valueOf(bucket: string, key: string): string | undefined {
    const subject = `$KV.${bucket}.${key}`
    const message = this.#stream(`KV_${bucket}`).messages.find((one) => one.subject === subject)
    return message && message.header.get('KV-Operation') !== 'DEL' ? Buffer.from(message.data).toString() : undefined
  }

  toJSON() {
    // A stream that was only read does not change the state.
    const used = [...this.#streams].filter(([, { lastSeq }]) => lastSeq > 0)
    const streams = used.map(([name, { lastSeq, messages, known }]) => [
      ...[name, lastSeq, [...known.keys()]],
      messages.map(({ seq, subject, data, header }) => [seq, subject, `${Buffer.from(data)}`, this.#headersOf(header)]),
    ])
    streams.sort(([one = ''], [other = '']) => (one < other ? -1 : 1))
    const inFlight = this.#inFlight.map(({ subject, data }) => [this.#nameOf(subject), `${data}`])
    return [streams, inFlight]
  }
}

interface MessageQuery {
  seq?: number
  last_by_subj?: string
  /** The first one from `seq` on. */
  next_by_subj?: string
}

interface PublishOptions {
  msgID?: string | undefined
  headers?: MsgHdrs
  expect?: { lastSubjectSequence?: number } | undefined
}

function readable(message: StoredMessage) {
  const text = () => Buffer.from(message.data).toString()
  const { seq, subject, data, header } = message
  // Its header may have the random name of an inbox.
  const toJSON = () => [seq, subject, text()]
  return { seq, subject, data, header, string: text, json: () => JSON.parse(text()), toJSON }
}

function apiError(code: number, err_code: number, description: string): NatsError {
  const err = new NatsError(description, ErrorCode.JetStreamInvalidAck)
  err.api_error = { code, err_code, description }
  return err
}

/** `$KV.LEASES.…` is stored in `KV_LEASES`; the other streams are named like the first part of their subjects. */
function streamOf(subject: string): string {
  const [first = '', second = ''] = subject.split('.')
  return first === '$KV' ? `KV_${second}` : first.toUpperCase()
}

function matches(pattern: string, subject: string): boolean {
  const [wanted, parts] = [pattern.split('.'), subject.split('.')]
  for (const [index, part] of wanted.entries()) {
    if (part === '>') return parts.length > index
    if (parts[index] === undefined || (part !== '*' && part !== parts[index])) return false
  }
  return wanted.length === parts.length
}
