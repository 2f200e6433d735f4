import { randomUUID } from 'node:crypto'
import { headers, type KV } from 'nats'
import { ask } from '../connection/ask.ts'
import type { Bus } from '../connection/bus.ts'
import { asBusUnavailable } from '../connection/bus-unavailable.ts'
import { publish } from '../publish/publish.ts'
import { isWrongSequence } from '../publish/wrong-sequence.ts'
import { type BucketConfig, openBucket } from './bucket.ts'

export interface BucketEntry {
  /** Undefined if there is no entry, or it was deleted. */
  value: string | undefined
  /** 0 if there was never an entry. */
  revision: number
}

/**
 * A key-value bucket that is opened on first use, and opened again after a failure, as it may have been deleted. Writes
 * are repeated while the bucket has no leader. All methods throw BusUnavailable.
 */
export class LazyBucket {
  readonly #bus: Bus
  readonly #config: BucketConfig
  #opening: Promise<KV> | undefined

  constructor(bus: Bus, config: BucketConfig) {
    this.#bus = bus
    this.#config = config
  }

  async read(key: string): Promise<BucketEntry> {
    const found = await this.#use((bucket) => ask(this.#bus, () => bucket.get(key)))
    if (!found) return { value: undefined, revision: 0 }
    return { value: found.operation === 'PUT' ? found.string() : undefined, revision: found.revision }
  }

  /** Returns the new revision; undefined, without an effect, if the entry is not at `revision`. */
  write(key: string, value: string, revision: number): Promise<number | undefined> {
    return this.#store(key, value, revision)
  }

  /** Does nothing if the entry is not at `revision`. */
  async delete(key: string, revision?: number): Promise<void> {
    await this.#store(key, undefined, revision)
  }

  async #store(key: string, value: string | undefined, lastSequence?: number): Promise<number | undefined> {
    const operation = headers()
    if (value === undefined) operation.set('KV-Operation', 'DEL')
    const message = {
      subject: `$KV.${this.#config.name}.${key}`,
      payload: value ?? '',
      // A write that is repeated because its answer was lost is not a conflict with itself.
      messageId: randomUUID(),
      headers: operation,
      ...(lastSequence !== undefined && { lastSequence }),
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
      if (!isWrongSequence(err)) this.#opening = undefined
      throw asBusUnavailable(err)
    }
  }
}
