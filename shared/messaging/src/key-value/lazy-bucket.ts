import { randomUUID } from 'node:crypto'
import { defined } from '@platen/foundation/json/defined.ts'
import { headers, type KV, type StoredMsg } from 'nats'
import { ask } from '../connection/ask.ts'
import type { Bus } from '../connection/bus.ts'
import { asBusUnavailable, BucketFull } from '../connection/bus-unavailable.ts'
import { publish } from '../publish/publish.ts'
import { isWrongSequence } from '../publish/wrong-sequence.ts'
import { findMessage } from '../streams/find-message.ts'
import { deleted, found } from '../streams/streams.ts'
import { type BucketConfig, openBucket, streamOfBucket } from './bucket.ts'

export interface BucketEntry {
  /** Undefined if there is no entry, or it was deleted. */
  value: string | undefined
  /** 0 if there was never an entry. */
  revision: number
}

/**
 * A key-value bucket that is opened on first use, and opened again after a failure, as it may have been deleted. Writes
 * are repeated while the bucket has no leader. All methods throw BusUnavailable, and writes its kind BucketFull.
 */
export class LazyBucket {
  readonly #bus: Bus
  readonly #config: BucketConfig
  #opening: Promise<KV> | undefined

  constructor(bus: Bus, config: BucketConfig) {
    this.#bus = bus
    this.#config = config
  }

  /** The time of NATS, in ms since the epoch. */
  now(): number {
    return this.#bus.clock.now()
  }

  async read(key: string): Promise<BucketEntry> {
    const entry = await this.#use((bucket) => ask(this.#bus, () => bucket.get(key)))
    if (!entry) return { value: undefined, revision: 0 }
    return { value: entry.operation === 'PUT' ? entry.string() : undefined, revision: entry.revision }
  }

  /** As `read`, from the leader of the bucket, so that a change that was acknowledged is not missed. Creates no bucket. */
  async readCurrent(key: string): Promise<BucketEntry> {
    const message = await this.#lastOf(key)
    if (!message) return { value: undefined, revision: 0 }
    const isDeleted = (message.header?.get('KV-Operation') ?? '') !== ''
    return { value: isDeleted ? undefined : message.string(), revision: message.seq }
  }

  /** The keys without a dot. None if there is no bucket. */
  async keys(): Promise<Set<string>> {
    const { length } = this.#subject('')
    const filter = { subjects_filter: this.#subject('*') }
    const info = await ask(this.#bus, () => found(this.#bus.queries.streams.info(this.#stream, filter)))
    return new Set(Object.keys(info?.state.subjects ?? {}).map((subject) => subject.slice(length)))
  }

  /** How much is free of the bytes that all entries may take. Infinity if the bucket has no limit. */
  async freeBytes(): Promise<number> {
    const { config, state } = await this.#use(() => ask(this.#bus, () => this.#bus.queries.streams.info(this.#stream)))
    return config.max_bytes > 0 ? config.max_bytes - state.bytes : Number.POSITIVE_INFINITY
  }

  /** Returns the new revision; undefined, without an effect, if the entry is not at `revision`. */
  write(key: string, value: string, revision: number): Promise<number | undefined> {
    return this.#store(key, value, revision)
  }

  /** Does nothing if the entry is not at `revision`. */
  async delete(key: string, revision?: number): Promise<void> {
    await this.#store(key, undefined, revision)
  }

  /**
   * Deletes an entry and leaves nothing of it: the server overwrites the message on its disk. Does nothing if there is no entry.
   * The user of NATS needs the permission to delete messages of the stream. Resolves to whether this call has deleted it; of
   * concurrent calls, to true in one at most. With `writtenBefore`, an entry that was written since then is left.
   */
  async erase(key: string, writtenBefore?: Date): Promise<boolean> {
    let isErased = false
    for (;;) {
      const message = await this.#lastOf(key)
      if (!message || (writtenBefore && message.time >= writtenBefore)) return isErased
      const isMine = await ask(this.#bus, () =>
        deleted(this.#bus.queries.streams.deleteMessage(this.#stream, message.seq, true)),
      )
      isErased ||= isMine
    }
  }

  async #lastOf(key: string): Promise<StoredMsg | undefined> {
    return findMessage(this.#bus, this.#stream, this.#subject(key))
  }

  #subject(key: string): string {
    return `$KV.${this.#config.name}.${key}`
  }

  get #stream(): string {
    return streamOfBucket(this.#config)
  }

  async #store(key: string, value: string | undefined, lastSequence?: number): Promise<number | undefined> {
    const operation = headers()
    if (value === undefined) operation.set('KV-Operation', 'DEL')
    const message = {
      subject: this.#subject(key),
      payload: value ?? '',
      // A write that is repeated because its answer was lost is not a conflict with itself.
      messageId: randomUUID(),
      headers: operation,
      ...defined({ lastSequence }),
    }
    try {
      return (await this.#use(() => publish(this.#bus, message))).seq
    } catch (err) {
      if (isWrongSequence(err)) return undefined
      throw err
    }
  }

  async #use<Result>(work: (bucket: KV) => Promise<Result>): Promise<Result> {
    try {
      await this.#bus.whenConnected()
      this.#opening ??= openBucket(this.#bus, this.#config)
      return await work(await this.#opening)
    } catch (err) {
      if (!isWrongSequence(err) && !(err instanceof BucketFull)) this.#opening = undefined
      throw asBusUnavailable(err)
    }
  }
}
