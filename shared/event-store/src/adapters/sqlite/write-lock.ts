import type { DatabaseSync } from 'node:sqlite'
import { StoreLocked, StoreUnavailable } from '../../event-store.ts'
import { isBusy } from './errors.ts'
import { busyTimeoutMs } from './schema.ts'

/** An append, or another try, that long ago proves that the lock can be had. */
const provenForMs = 1_000
/** Interval of tries while the lock cannot be taken. A try takes some microseconds. */
const tryEveryMs = 100

export interface WriteLockOptions {
  database: DatabaseSync
  /** The position of the last event. If it moves, another program is writing. */
  readEnd: () => number
  /** How long another program may hold the lock until `check` throws. */
  patienceMs: number
}

/**
 * Whether the write lock, which each append needs, can be taken. A file that another program keeps locked can still be
 * read. Nothing is tried until somebody asks or an append has failed. A try writes nothing, so that it wakes no reader.
 */
export class WriteLock implements Disposable {
  readonly #options: WriteLockOptions
  #provenAt = Number.NEGATIVE_INFINITY
  #end = 0
  #failing: { err: unknown; since: number } | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: WriteLockOptions) {
    this.#options = options
  }

  /** To be called when an append was committed. */
  proven(): void {
    this.#provenAt = performance.now()
    this.#failing = undefined
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** To be called when an append has waited for the lock and did not get it. */
  refused(err: StoreLocked): void {
    this.#fails(err, performance.now() - this.#options.patienceMs)
  }

  /** Throws StoreLocked, or StoreUnavailable if another reason forbids to write. Does not wait. */
  check(): void {
    const { patienceMs } = this.#options
    if (!this.#failing && performance.now() - this.#provenAt > provenForMs) this.#try()
    if (!this.#failing) return
    const { err, since } = this.#failing
    if (!isBusy(err) && !(err instanceof StoreLocked)) {
      throw new StoreUnavailable(`The event store takes no events: ${(err as Error).message}`, { cause: err })
    }
    if (performance.now() - since < patienceMs) return
    // The lock may be held by a commit of this process on a slow disk.
    const holder = 'another program, or a commit that waits for the disk,'
    throw new StoreLocked(`The event store takes no events: ${holder} keeps its file locked`, { cause: err })
  }

  /** Ends the tries. An append may still be refused after it. */
  [Symbol.dispose](): void {
    this.#isClosed = true
    clearInterval(this.#timer)
  }

  #fails(err: unknown, since: number): void {
    this.#failing = { err, since: Math.min(since, this.#failing?.since ?? since) }
    if (!this.#isClosed) this.#timer ??= setInterval(() => this.#try(), tryEveryMs).unref()
  }

  #try(): void {
    try {
      if (this.#hasMoved() || this.#takeLock()) this.proven()
    } catch (err) {
      this.#fails(err, performance.now())
    }
  }

  /** Whether others have committed since. A program that writes all the time may have the lock whenever it is tried. */
  #hasMoved(): boolean {
    const before = this.#end
    this.#end = this.#options.readEnd()
    return before !== 0 && this.#end > before
  }

  #takeLock(): true {
    const { database } = this.#options
    // SQLite blocks the event loop while it waits.
    database.exec('PRAGMA busy_timeout = 0')
    try {
      database.exec('BEGIN IMMEDIATE')
      database.exec('ROLLBACK')
      return true
    } finally {
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
    }
  }
}
