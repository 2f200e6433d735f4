import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventRemoval, RemovedEvents } from '../../event-removal.ts'
import { StoreUnavailable } from '../../event-store.ts'
import { isBusy } from './errors.ts'
import { formatOf, removedFormat } from './event-format.ts'
import { busyTimeoutMs, connectToEventDatabase, deleteTrigger } from './schema.ts'
import { shareStore, storeFile } from './store-lock.ts'

/** Services wait for the write lock meanwhile: a transaction takes some milliseconds, and ends with a whole stream. */
const rowsAtOnce = 1_000
const pagesAtOnce = 500
/** Between two transactions. Longer than services sleep until they try to take the lock again. */
const pauseMs = busyTimeoutMs + 5
/** As long as an append waits. */
const lockTimeoutMs = 5_000
const lockedPauseMs = 10

/** Deletes rows. The file gets smaller if it was created with incremental vacuum; another one uses the space again. */
export class SqliteEventRemoval implements EventRemoval {
  readonly #path: string
  readonly #database: DatabaseSync
  readonly #lock: Disposable

  /** The file must exist, and have been opened as an event store. */
  constructor(path: string) {
    this.#path = path
    this.#lock = shareStore(path)
    try {
      this.#database = connectToEventDatabase(path)
    } catch (err) {
      this.#lock[Symbol.dispose]()
      throw err
    }
  }

  async remove(removed: readonly RemovedEvents[]): Promise<void> {
    for (let done = 0; done < removed.length; ) {
      if (done > 0) await sleep(pauseMs)
      await this.#transact(() => {
        this.#allow()
        for (let rows = 0; rows < rowsAtOnce; done++) {
          const next = removed[done]
          if (next === undefined) return
          rows += this.#removeFrom(next)
        }
      })
    }
  }

  async reclaim(): Promise<number> {
    const path = storeFile(this.#path)
    const before = statSync(path).size
    const free = this.#database.prepare('PRAGMA freelist_count')
    const vacuum = this.#database.prepare(`PRAGMA incremental_vacuum(${pagesAtOnce})`)
    const freePages = () => Number(free.get()?.freelist_count)
    for (let left = freePages(), last = Number.POSITIVE_INFINITY; left > 0 && left < last; ) {
      await this.#whenUnlocked(() => vacuum.all())
      last = left
      left = freePages()
      if (left > 0) await sleep(pauseMs)
    }
    // Readers of older states of the file may prevent it; then the file gets smaller at a later checkpoint.
    this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    return Math.max(0, before - statSync(path).size)
  }

  async close(): Promise<void> {
    this.#database.close()
    this.#lock[Symbol.dispose]()
  }

  /** From the newest event on: the trigger finds that each is archived in the row after it. Returns the number of rows. */
  #removeFrom({ stream, before }: RemovedEvents): number {
    const newestFirst = 'SELECT position FROM events WHERE stream = ? AND revision < ? ORDER BY revision DESC'
    const rows = this.#database.prepare(newestFirst).all(stream, before)
    const remove = this.#database.prepare('DELETE FROM events WHERE position = ?')
    for (const { position } of rows) remove.run(Number(position))
    return rows.length
  }

  /** Files of earlier versions refuse every deletion. From the first one on, earlier versions refuse the file. */
  #allow(): void {
    const named = this.#database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name = ?")
    if (!named.get('events_delete_moved')) this.#database.exec(deleteTrigger)
    if (named.get('events_no_delete')) this.#database.exec('DROP TRIGGER events_no_delete')
    if (formatOf(this.#database) < removedFormat) this.#database.exec(`PRAGMA user_version = ${removedFormat}`)
  }

  async #transact(work: () => void): Promise<void> {
    await this.#whenUnlocked(() => this.#database.exec('BEGIN IMMEDIATE'))
    try {
      work()
      this.#database.exec('COMMIT')
    } catch (cause) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw new StoreUnavailable(`The event store cannot be written: ${(cause as Error).message}`, { cause })
    }
  }

  async #whenUnlocked(work: () => unknown): Promise<void> {
    const deadline = performance.now() + lockTimeoutMs
    for (;;) {
      try {
        work()
        return
      } catch (cause) {
        if (!isBusy(cause)) throw new StoreUnavailable('The event store cannot be written', { cause })
        if (performance.now() > deadline) {
          throw new StoreUnavailable('Another program keeps the event store locked', { cause })
        }
        await sleep(lockedPauseMs)
      }
    }
  }
}
