import { consumers, isInteractive, renderQueues, streams } from '@platen/domain/streams/subjects.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { found } from '@platen/messaging/streams/streams.ts'

/** How long a count is reused. Generations added meanwhile are counted here. */
const maxAgeMs = 250
/**
 * How long a count is reused when the queue is at least half full: several gateways together must not overfill it
 * between two counts.
 */
const maxAgeHalfFullMs = 25
/** An older count is not used while a new one can be had. */
const staleAfterMs = 2_000
/** The longest wait for a count: in a cluster without a leader, nobody answers. */
const waitMs = 250

/**
 * Counts the asynchronous generations that are queued or rendering. While NATS does not count them, the last count is used:
 * whether a generation can be accepted is decided by storing its command.
 */
export class QueueDepth {
  readonly #bus: Bus
  #counted = 0
  #isCounted = false
  #added = 0
  #askedAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined

  constructor(bus: Bus) {
    this.#bus = bus
  }

  /** `maxQueued`: how many the queue may have. */
  async batch(maxQueued = Number.POSITIVE_INFINITY): Promise<number> {
    const ageMs = performance.now() - this.#askedAt
    const isHalfFull = 2 * (this.#counted + this.#added) >= maxQueued
    const mayBeFull = isHalfFull && ageMs > maxAgeHalfFullMs
    if (ageMs > maxAgeMs || mayBeFull) {
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = undefined
      })
    }
    if (this.#isCounted && (ageMs > staleAfterMs || mayBeFull)) await Promise.race([this.#asking, sleep(waitMs)])
    else if (!this.#isCounted) await this.#asking
    return this.#counted + this.#added
  }

  /** To be called when this gateway has queued a generation. */
  added(): void {
    this.#added++
  }

  async #ask(): Promise<void> {
    const addedBefore = this.#added
    const counted = this.#bus.connected ? await countBatch(this.#bus).catch(() => undefined) : undefined
    this.#askedAt = performance.now()
    if (counted === undefined) return
    this.#counted = counted
    this.#isCounted = true
    this.#added -= addedBefore
  }
}

/** Asks the renderer's consumers. Until there is one, every message of the stream is waiting. */
async function countBatch({ queries }: Bus): Promise<number> {
  const durables = renderQueues.filter((queue) => !isInteractive(queue)).map((queue) => consumers[queue].durable)
  const infos = await Promise.all(durables.map((name) => found(queries.consumers.info(streams.commands, name))))
  const known = infos.filter((info) => info !== undefined)
  if (known.length > 0) return known.reduce((sum, info) => sum + info.num_pending + info.num_ack_pending, 0)
  return (await queries.streams.info(streams.commands)).state.messages
}
