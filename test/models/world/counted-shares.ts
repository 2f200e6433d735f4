import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { MemoryBus } from './memory-bus.ts'
import { must, type World } from './world.ts'

interface CountedSharesOptions {
  bucket: string
  /** The beginning of the keys of the counts. */
  name: string
  periodMs: number
  /** The most that an owner may have when it takes more and has found so many bytes free. */
  mostOf: (freeBytes: number) => number
}

/** What `OwnerShare` has counted in a bucket, and whether each owner had room for what it has taken. */
export class CountedShares {
  readonly #world: World
  readonly #memory: MemoryBus
  readonly #options: CountedSharesOptions
  /** The free bytes that each process has seen last. */
  readonly #free = new Map<string, number>()
  readonly #totals = new Map<string, number>()
  #broken: string | undefined

  constructor(world: World, memory: MemoryBus, options: CountedSharesOptions) {
    this.#world = world
    this.#memory = memory
    this.#options = options
    memory.onStored = (stream, { subject }) => {
      const prefix = `$KV.${options.bucket}.${options.name}.`
      if (stream === `KV_${options.bucket}` && subject.startsWith(prefix)) this.#written(subject.slice(prefix.length))
    }
  }

  /** Notes what the process that uses the connection sees of the bucket. */
  noting(bus: Bus): Bus {
    const { streams } = bus.jsm
    const info: typeof streams.info = async (stream, ...rest) => {
      const seen = await streams.info(stream, ...rest)
      const { max_bytes } = seen.config
      if (max_bytes > 0) this.#free.set(this.#world.current().name, max_bytes - seen.state.bytes)
      return seen
    }
    const jsm = { ...bus.jsm, streams: { ...streams, info } }
    return Object.create(bus, { jsm: { value: jsm }, queries: { value: jsm } })
  }

  #written(owner: string): void {
    const total = this.counted(owner)
    const free = this.#free.get(this.#world.current().name)
    const most = free === undefined ? Number.POSITIVE_INFINITY : this.#options.mostOf(free)
    const before = this.#totals.get(owner) ?? 0
    this.#totals.set(owner, total)
    if (total > before && total > most) this.#broken ??= `${owner} has ${total}, and may have ${most}`
    if (this.#counts(owner).some(([, amount]) => amount < 0)) this.#broken ??= `${owner} has less than nothing`
  }

  #counts(owner: string): [until: string, amount: number][] {
    const { bucket, name } = this.#options
    return Object.entries(JSON.parse(this.#memory.valueOf(bucket, `${name}.${owner}`) ?? '{}'))
  }

  /** What counts now. */
  counted(owner: string): number {
    const now = this.#world.nowMs / this.#options.periodMs
    return this.#counts(owner).reduce((sum, [until, amount]) => (Number(until) > now ? sum + amount : sum), 0)
  }

  check(): void {
    must(this.#broken === undefined, `${this.#broken}`)
  }

  toJSON() {
    return [[...this.#free].sort(), this.#broken]
  }
}
