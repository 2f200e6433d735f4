import { type Priority, priorities } from '@platen/domain/streams/subjects.ts'
import { FairShares } from '@platen/foundation/runtime/fair-shares.ts'

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
  /** The API key. Those of one owner share what it has. */
  key: string
  priority: Priority
  /** Ends the wait, which rejects with its reason. */
  signal: AbortSignal
}

export interface SlotsOptions {
  now?: () => number
  onUse?: ((owner: string, ms: number) => void) | undefined
}

interface Waiter {
  owner: string
  key: string
  admit(): void
}

/** Synchronous requests often follow each other: a slot is reserved for the next one for this time. */
const reservedMs = 500
/** Time changes who may have a slot, as running documents become slow: it is looked again after this time. */
const lookAgainMs = 50
/** A batch document begins beside an interactive one of another API key if none has begun for this time. */
const besideInteractiveMs = 50

/**
 * Limits the number of documents printed at once. There are `size` slots, one more for interactive documents, so that
 * these do not wait for a batch, and one for an interactive document of an API key that has none while another one
 * holds more than its share with slow documents. Batch documents use `size` slots, one less while interactive
 * documents arrive, and always at least one. As short documents are delayed by those printed beside them, a batch
 * document does not begin while an interactive one of another API key runs, for a moment.
 *
 * Owners share the slots by the time that they use them, and so do the API keys of an owner. While others compete, an
 * owner or key has at most half of the slots.
 */
export class Slots {
  readonly #size: number
  readonly #now: () => number
  readonly #onUse: SlotsOptions['onUse']
  readonly #owners: FairShares
  readonly #keys: FairShares
  /** By API key, in the order of arrival. */
  readonly #waiting: Record<Priority, Map<string, Set<Waiter>>> = { interactive: new Map(), batch: new Map() }
  readonly #busy: Record<Priority, number> = { interactive: 0, batch: 0 }
  /** The API keys of the interactive documents that run. */
  readonly #interactive = new Set<{ key: string }>()
  #lastBatchAt = Number.NEGATIVE_INFINITY
  #reservation: NodeJS.Timeout | undefined
  #lookAgain: NodeJS.Timeout | undefined

  /** `onUse` is told the time of each use of a slot when it ends. */
  constructor(size: number, { now = () => performance.now(), onUse }: SlotsOptions = {}) {
    this.#size = size
    this.#now = now
    this.#onUse = onUse
    this.#owners = new FairShares(now)
    this.#keys = new FairShares(now)
  }

  /** Waits for a slot, which is free again when it is disposed of. Rejects with the signal's reason when it aborts. */
  acquire({ owner, key, priority, signal }: SlotRequest): Promise<Disposable> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const abort = () => {
        this.#remove(priority, waiter)
        reject(signal.reason)
        this.#admitWaiting()
      }
      const waiter: Waiter = {
        owner,
        key,
        admit: () => {
          signal.removeEventListener('abort', abort)
          resolve(this.#slot({ owner, key, priority }))
        },
      }
      signal.addEventListener('abort', abort, { once: true })
      if (priority === 'interactive') this.#reserve()
      this.#add(priority, waiter)
      this.#admitWaiting()
    })
  }

  /** How long an interactive document of the API key would wait now, as far as the durations of earlier ones tell. */
  expectedWaitMs(key: string): number {
    const all = this.#size + 1
    const others = this.#keys.competitors(key)
    const share = others === 0 ? all : Math.min(this.#share(), all / (others + 1))
    const waiting = this.#waiting.interactive.get(key)?.size ?? 0
    const turns = waiting + 1 - Math.max(0, share - this.#keys.held(key))
    return (Math.max(0, turns) * (this.#keys.meanMs(key) ?? 0)) / share
  }

  state(): SlotsState {
    return {
      size: this.#size,
      busy: { ...this.#busy },
      free: { interactive: this.#free('interactive'), batch: this.#free('batch') },
      waiting: { interactive: this.#count('interactive'), batch: this.#count('batch') },
    }
  }

  #add(priority: Priority, waiter: Waiter): void {
    const waiting = this.#waiting[priority]
    const own = waiting.get(waiter.key) ?? new Set()
    waiting.set(waiter.key, own.add(waiter))
    this.#owners.enter(waiter.owner)
    this.#keys.enter(waiter.key)
  }

  #remove(priority: Priority, waiter: Waiter): void {
    const waiting = this.#waiting[priority]
    const own = waiting.get(waiter.key)
    own?.delete(waiter)
    if (own?.size === 0) waiting.delete(waiter.key)
    this.#owners.leave(waiter.owner)
    this.#keys.leave(waiter.key)
  }

  #count(priority: Priority): number {
    return this.#waiting[priority].values().reduce((sum, own) => sum + own.size, 0)
  }

  #free(priority: Priority): number {
    const { interactive, batch } = this.#busy
    const inUse = interactive + batch
    const all = this.#size + 1
    if (priority === 'interactive') {
      // A batch that waits gets one slot, however many callers wait.
      const forBatch = batch === 0 && this.#waiting.batch.size > 0 ? 1 : 0
      return Math.max(0, all - forBatch - inUse)
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
      this.#admitWaiting()
    }, reservedMs).unref()
  }

  #admitWaiting(): void {
    for (const priority of priorities) {
      for (let next = this.#next(priority); next; next = this.#next(priority)) {
        this.#remove(priority, next)
        this.#busy[priority] += 1
        next.admit()
      }
    }
    if (this.#waiting.interactive.size > 0 || (this.#waiting.batch.size > 0 && this.#interactive.size > 0)) {
      this.#lookAgain ??= setTimeout(() => {
        this.#lookAgain = undefined
        this.#admitWaiting()
      }, lookAgainMs).unref()
    }
  }

  /** The next document: of the owner that has used the least, that of its API key that has used the least. */
  #next(priority: Priority): Waiter | undefined {
    const candidates = new Map<string, Waiter>()
    for (const [key, [first]] of this.#waiting[priority]) {
      if (first && this.#mayTake(first, priority)) candidates.set(key, first)
    }
    const owner = this.#owners.next(candidates.values().map((waiter) => waiter.owner))
    const keys = candidates.values().flatMap((waiter) => (waiter.owner === owner ? [waiter.key] : []))
    return candidates.get(this.#keys.next(keys) ?? '')
  }

  #mayTake({ owner, key }: Waiter, priority: Priority): boolean {
    if (priority === 'batch' && this.#mustWaitForInteractive(key)) return false
    const mine = this.#keys.held(key)
    if (this.#free(priority) === 0) return priority === 'interactive' && mine === 0 && this.#mayExceed()
    const share = this.#share()
    if (mine >= share && this.#keys.mustYield(key)) return false
    return this.#owners.held(owner) < share || !this.#owners.mustYield(owner)
  }

  #mustWaitForInteractive(key: string): boolean {
    if (this.#now() - this.#lastBatchAt >= besideInteractiveMs) return false
    return this.#interactive.values().some((running) => running.key !== key)
  }

  /** Half of the slots: what one owner or API key may hold while others compete. */
  #share(): number {
    return Math.ceil(this.#size / 2)
  }

  /** Whether the document may have the extra slot, because another API key has more than its share of the others. */
  #mayExceed(): boolean {
    const { interactive, batch } = this.#busy
    if (interactive + batch > this.#size + 1) return false
    const slots = this.#share()
    return this.#keys.holders().some((other) => this.#keys.held(other) > slots && this.#keys.isSlow(other))
  }

  #slot({ owner, key, priority }: Omit<SlotRequest, 'signal'>): Disposable {
    let held = true
    const since = this.#now()
    const running = { key }
    if (priority === 'interactive') this.#interactive.add(running)
    else this.#lastBatchAt = since
    const ends = [this.#owners.begin(owner), this.#keys.begin(key)]
    return {
      [Symbol.dispose]: () => {
        if (!held) return
        held = false
        for (const end of ends) end()
        this.#interactive.delete(running)
        this.#onUse?.(owner, this.#now() - since)
        this.#busy[priority] -= 1
        if (priority === 'interactive') this.#reserve()
        this.#admitWaiting()
      },
    }
  }
}
