import type { KV } from 'nats'
import { type BucketConfig, openBucket } from './buckets.ts'
import { asBusUnavailable, type Bus } from './bus.ts'

/** A bucket that is opened on first use, and opened again after a failure, as it may have been deleted. */
export class LazyBucket {
  readonly #bus: Bus
  readonly #config: BucketConfig
  #opening: Promise<KV> | undefined

  constructor(bus: Bus, config: BucketConfig) {
    this.#bus = bus
    this.#config = config
  }

  /** Throws BusUnavailable, and what `work` throws. */
  async use<Result>(work: (bucket: KV) => Promise<Result>): Promise<Result> {
    try {
      this.#opening ??= openBucket(this.#bus, this.#config)
      return await work(await this.#opening)
    } catch (err) {
      this.#opening = undefined
      throw asBusUnavailable(err)
    }
  }
}
