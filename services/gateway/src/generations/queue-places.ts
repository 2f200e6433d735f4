import { fail } from '@platen/domain/http/errors.ts'
import { commandSubjects, consumers, isInteractive, renderQueues, streams } from '@platen/domain/streams/subjects.ts'
import { mayHaveMore, type Share } from '@platen/foundation/runtime/share.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { countSubjects } from '@platen/messaging/streams/count-subjects.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import { type CountAges, RecentCount } from './recent-count.ts'

const ages: CountAges = { askAfterMs: 250, waitAfterMs: 2_000 }
/** Of a queue that is at least half full: several gateways together must not overfill it between two counts. */
const agesHalfFull: CountAges = { askAfterMs: 25, waitAfterMs: 25 }
/**
 * Of what one owner has, which takes the server 25 ms if it is nearly all of 20,000. What has changed meanwhile matters a tenth as much as
 * what is free.
 */
const agesOfOwner: CountAges = { askAfterMs: 1_000, waitAfterMs: 2_000 }

const queues = renderQueues.filter((queue) => !isInteractive(queue))

/** The places of the queue for asynchronous generations, which wait or are being rendered. NATS counts them: a restart forgets none. */
export class QueuePlaces {
  readonly #bus: Bus
  readonly #maxQueued: number
  readonly #all: RecentCount
  /** Of the owners that have asked for a place since the queue is nearly full. */
  readonly #owners = new Map<string, RecentCount>()

  constructor(bus: Bus, maxQueued: number) {
    this.#bus = bus
    this.#maxQueued = maxQueued
    this.#all = new RecentCount(() => this.#ask(() => countAll(bus)))
  }

  /** How many are taken. */
  taken(): Promise<number> {
    return this.#all.value(this.#isHalfFull() ? agesHalfFull : ages)
  }

  async free(): Promise<number> {
    return this.#maxQueued - (await this.taken())
  }

  /**
   * Takes a place for the generation that `send` queues. With a share, throws QUEUE_FULL if the owner has it or no place is free; without,
   * the generation has waited for its place.
   */
  async take<Sent>(ownerId: string, share: Share | undefined, send: () => Promise<Sent>): Promise<Sent> {
    // The last check and the first count have no await in between, so that concurrent requests count each other.
    if (share) {
      await this.taken()
      if (this.#all.known >= this.#maxQueued) refuse(`The queue is full: ${this.#maxQueued}`)
      // An owner that could have all that are taken need not be counted.
      if (!this.#mayHaveMore(share, this.#all.known)) {
        const own = this.#countOf(ownerId)
        await own.value(agesOfOwner)
        if (!this.#mayHaveMore(share, own.known)) refuse(`This owner has its share of the queue: ${own.known} of its`)
      }
    }
    const sent = send()
    for (const count of [this.#all, this.#owners.get(ownerId)]) void count?.add(sent)
    return sent
  }

  #mayHaveMore(share: Share, has: number): boolean {
    return mayHaveMore(share, { has, free: this.#maxQueued - this.#all.known })
  }

  #countOf(ownerId: string): RecentCount {
    const count = this.#owners.get(ownerId) ?? new RecentCount(() => this.#ask(() => countOf(this.#bus, ownerId)))
    this.#owners.set(ownerId, count)
    return count
  }

  #isHalfFull(): boolean {
    const isHalfFull = 2 * this.#all.known >= this.#maxQueued
    if (!isHalfFull) this.#owners.clear()
    return isHalfFull
  }

  /** Undefined if NATS does not answer. */
  async #ask(count: () => Promise<number>): Promise<number | undefined> {
    return this.#bus.connected ? await count().catch(() => undefined) : undefined
  }
}

const refuse = (why: string) => fail('QUEUE_FULL', `${why} generations are waiting; retry later`)

/** Asks the renderer's consumers. Until there is one, every message of the stream is waiting. */
async function countAll({ queries }: Bus): Promise<number> {
  const durables = queues.map((queue) => consumers[queue].durable)
  const infos = await Promise.all(durables.map((name) => found(queries.consumers.info(streams.commands, name))))
  const known = infos.filter((info) => info !== undefined)
  if (known.length > 0) return known.reduce((sum, info) => sum + info.num_pending + info.num_ack_pending, 0)
  return (await queries.streams.info(streams.commands)).state.messages
}

/** The subject of a command is deleted with its message, when the generation has ended. */
async function countOf(bus: Bus, ownerId: string): Promise<number> {
  const filters = queues.map((queue) => commandSubjects.renderOf(ownerId, queue))
  const counts = await Promise.all(filters.map((filter) => countSubjects(bus, streams.commands, filter)))
  return counts.reduce((sum, count) => sum + count, 0)
}
