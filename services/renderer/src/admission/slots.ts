import { type Priority, priorities } from '@platen/domain/streams/subjects.ts'
import { FairQueue, type QueuedClaim } from '@platen/foundation/runtime/fair-queue.ts'

export interface SlotsState {
  size: number
  /** Slots held by documents of the priority. */
  busy: Record<Priority, number>
  /** Slots that a document of the priority, of an owner that has none, would get at once. */
  free: Record<Priority, number>
  waiting: Record<Priority, number>
}

export interface SlotRequest {
  owner: string
  /** The API key. Keys of one owner share the slots of the owner. */
  key: string
  priority: Priority
  /** Ends the wait, which rejects with its reason. */
  signal: AbortSignal
}

export interface SlotsOptions {
  now?: () => number
  onUse?: ((owner: string, ms: number) => void) | undefined
}

/** Synchronous requests often follow each other: a slot is reserved for the next one for this time. */
export const reservedMs = 500

/**
 * Limits the number of documents printed at once. There are `size` slots; one more for interactive documents, so that
 * they do not wait for a batch; and one for an API key that has no slot while another key has more than its share, as a
 * slot is never taken away. Batch documents use `size` slots, one less while interactive documents arrive, and always
 * at least one.
 */
export class Slots {
  readonly #size: number
  readonly #now: () => number
  readonly #onUse: SlotsOptions['onUse']
  readonly #queue: FairQueue<Priority>
  #reservation: NodeJS.Timeout | undefined

  /** `onUse` is told the time of each use of a slot when it ends. */
  constructor(size: number, { now = () => performance.now(), onUse }: SlotsOptions = {}) {
    this.#size = size
    this.#now = now
    this.#onUse = onUse
    this.#queue = new FairQueue({ kinds: priorities, mayBegin: (claim) => this.#mayBegin(claim), now })
  }

  /** Waits for a slot, which is free again when it is disposed of. Rejects with the signal's reason when it aborts. */
  async acquire({ owner, key, priority, signal }: SlotRequest): Promise<Disposable> {
    if (priority === 'interactive' && !signal.aborted) this.#reserve()
    const turn = await this.#queue.take({ owner, key, kind: priority }, { signal })
    const since = this.#now()
    const slot = new DisposableStack()
    slot.use(turn)
    slot.defer(() => {
      this.#onUse?.(owner, this.#now() - since)
      if (priority === 'interactive') this.#reserve()
    })
    return slot
  }

  /** How many may be held at once: the extra ones, too. */
  get most(): number {
    return this.#size + 2
  }

  /** How long an interactive document of the API key would wait now, as far as the durations of earlier ones tell. */
  expectedWaitMs(key: string): number {
    const { keys } = this.#queue.shares
    const all = this.#size + 1
    const others = keys.competitors(key)
    const share = others === 0 ? all : Math.min(this.#share(), all / (others + 1))
    const turns = this.#queue.waitingIn({ kind: 'interactive', key }) + 1 - Math.max(0, share - keys.held(key))
    return (Math.max(0, turns) * (keys.meanMs(key) ?? 0)) / share
  }

  state(): SlotsState {
    const of = (count: (priority: Priority) => number) => ({ interactive: count('interactive'), batch: count('batch') })
    return {
      size: this.#size,
      busy: of((priority) => this.#queue.busy(priority)),
      free: of((priority) => this.#free(priority)),
      waiting: of((priority) => this.#queue.waiting(priority)),
    }
  }

  #free(priority: Priority): number {
    const batch = this.#queue.busy('batch')
    const inUse = this.#queue.busy('interactive') + batch
    const all = this.#size + 1
    if (priority === 'interactive') {
      // A batch that waits gets one slot, however many callers wait.
      const forBatch = batch === 0 && this.#queue.waiting('batch') > 0 ? 1 : 0
      // A batch document in the extra slot does not count against the interactive slot.
      return Math.max(0, all - forBatch - this.#queue.busy('interactive') - Math.min(batch, this.#size))
    }
    const free = Math.max(0, Math.min(this.#size - inUse, this.#batchLimit() - batch))
    return batch === 0 && inUse < all ? Math.max(1, free) : free
  }

  #batchLimit(): number {
    return this.#reservation ? Math.max(1, this.#size - 1) : this.#size
  }

  #reserve(): void {
    if (this.#reservation) return void this.#reservation.refresh()
    this.#reservation = setTimeout(() => {
      this.#reservation = undefined
      this.#queue.admit()
    }, reservedMs).unref()
  }

  #mayBegin(claim: QueuedClaim<Priority>): boolean {
    const { kind, key } = claim
    const { shares } = this.#queue
    if (this.#free(kind) > 0) return shares.mayHaveMore(claim, this.#share())
    return shares.keys.held(key) === 0 && this.#mayExceed()
  }

  /** Half of the slots: what one owner or API key may hold while others compete. */
  #share(): number {
    return Math.ceil(this.#size / 2)
  }

  /** Whether a document of a key that has no slot may have the extra one, because another key has more than its share. */
  #mayExceed(): boolean {
    const { keys } = this.#queue.shares
    if (this.#queue.busy('interactive') + this.#queue.busy('batch') > this.#size + 1) return false
    return keys.holders().some((other) => keys.held(other) > this.#share())
  }
}
