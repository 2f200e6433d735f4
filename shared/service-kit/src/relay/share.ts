import type { RelayName } from '@platen/domain/events/define-event.ts'
import { onEachBeat } from '@platen/foundation/runtime/beat.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { announcedProcesses } from '../host/announced-processes.ts'

const lookEveryMs = 5_000
/** A partition that nobody takes for so long is taken by a process that has its share already. */
const leftAloneMs = 3_000

interface SharedRelay {
  service: RelayName
  instance: string
  partitions: number
}

/**
 * How many partitions of a relay this process holds: the number of partitions by the number of processes that run the service,
 * rounded up. A process that holds more, because others have started, gives the rest up.
 */
export class RelayShare implements Disposable {
  readonly #bus: Pick<Bus, 'queries'>
  readonly #service: RelayName
  readonly #instance: string
  readonly #partitions: number
  readonly #held = new Map<number, () => void>()
  readonly #beat: Disposable
  #most: number
  /** The processes at the last look, and those for which this process has given something up. */
  #seen = ''
  #madeRoomFor = ''

  private constructor(bus: Pick<Bus, 'queries'>, of: SharedRelay) {
    this.#bus = bus
    this.#service = of.service
    this.#instance = of.instance
    this.#partitions = of.partitions
    this.#most = of.partitions
    this.#beat = onEachBeat(lookEveryMs, () => void this.#look())
  }

  static async open(bus: Pick<Bus, 'queries'>, of: SharedRelay): Promise<RelayShare> {
    const share = new RelayShare(bus, of)
    await share.#look()
    return share
  }

  /** Whether to take a partition that is free since `freeMs`. */
  takes(freeMs: number): boolean {
    return this.#held.size < this.#most || freeMs >= leftAloneMs
  }

  /** The time until a partition is looked at again. */
  get lookAgainMs(): number {
    return this.#held.size < this.#most ? 1_000 : 2_000
  }

  /** `giveUp` is called when another process should have the partition. The result is disposed of when it is not held any more. */
  holds(partition: number, giveUp: () => void): Disposable {
    this.#held.set(partition, giveUp)
    return { [Symbol.dispose]: () => this.#held.delete(partition) }
  }

  [Symbol.dispose](): void {
    this.#beat[Symbol.dispose]()
  }

  async #look(): Promise<void> {
    try {
      const found = (await announcedProcesses(this.#bus)) ?? []
      const running = found.filter(
        ({ services, silent, state }) => services.includes(this.#service) && !silent && state === 'running',
      )
      const instances = new Set([...running.map(({ instance }) => instance), this.#instance])
      this.#most = Math.ceil(this.#partitions / instances.size)
      this.#makeRoom([...instances].sort().join())
    } catch {
      // While NATS does not answer, nobody takes or gives up anything.
    }
  }

  /** Once for the same processes, and when they were there twice: one that does not take it, for whatever reason, gets no second offer. */
  #makeRoom(instances: string): void {
    const isStable = instances === this.#seen
    this.#seen = instances
    const surplus = this.#held.size - this.#most
    if (!isStable || surplus <= 0 || this.#madeRoomFor === instances) return
    this.#madeRoomFor = instances
    for (const giveUp of [...this.#held.values()].slice(-surplus)) giveUp()
  }
}
