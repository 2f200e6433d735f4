import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { OutcomeUnknown, StoreLocked, StoreUnavailable } from '../../event-store.ts'
import { isBusy, isSurelyNotWritten } from './errors.ts'
import { type Append, streamWriter, type Written } from './stream-writer.ts'

interface WaitingAppend extends Append {
  deadline: number
  resolve: (written: Written) => void
  reject: (reason: unknown) => void
}

/** Every append of a group waits for the commit of the group. */
const groupAppends = 256
const groupBytes = 4_000_000
const lockedPauseMs = 5

/** Commits the appends of one turn of the event loop in one transaction, with one flush to the disk. */
export class GroupCommit {
  readonly #database: DatabaseSync
  readonly #write: ReturnType<typeof streamWriter>
  #waiting: WaitingAppend[] = []
  #draining = false

  constructor(database: DatabaseSync, token: string) {
    this.#database = database
    this.#write = streamWriter(database, token)
  }

  /** Retries for `timeoutMs` while another process has locked the file. */
  append(append: Append, timeoutMs: number): Promise<Written> {
    const { promise, resolve, reject } = Promise.withResolvers<Written>()
    this.#waiting.push({ ...append, deadline: performance.now() + timeoutMs, resolve, reject })
    if (!this.#draining) void this.#drain()
    return promise
  }

  async #drain(): Promise<void> {
    this.#draining = true
    while (this.#waiting.length > 0) {
      await nextTurn()
      const locked = this.#commit(this.#takeGroup())
      if (locked) await sleep(lockedPauseMs)
    }
    this.#draining = false
  }

  #takeGroup(): WaitingAppend[] {
    let bytes = 0
    const isOver = this.#waiting.findIndex(({ events }, index) => {
      const fits = index < groupAppends && bytes < groupBytes
      for (const { data, metadata } of events) bytes += data.length + metadata.length
      return !fits
    })
    return this.#waiting.splice(0, isOver === -1 ? this.#waiting.length : isOver)
  }

  /** Settles a group's appends. Returns true if the file is locked; appends within their deadline then stay waiting. */
  #commit(group: WaitingAppend[]): boolean {
    try {
      const outcomes = transact(this.#database, () => group.map((append) => this.#write(append)))
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index]
        if (outcome instanceof Error) reject(outcome)
        else if (outcome) resolve(outcome)
      }
      return false
    } catch (err) {
      const isLocked = err instanceof StoreLocked
      const inTime = isLocked ? group.filter(({ deadline }) => deadline > performance.now()) : []
      for (const append of group) if (!inTime.includes(append)) append.reject(err)
      this.#waiting.unshift(...inTime)
      return isLocked
    }
  }
}

/** Runs `work` in a transaction. Throws StoreUnavailable or OutcomeUnknown with SQLite's error as the cause. */
function transact<Result>(database: DatabaseSync, work: () => Result): Result {
  let committing = false
  try {
    database.exec('BEGIN IMMEDIATE')
    const result = work()
    committing = true
    database.exec('COMMIT')
    return result
  } catch (err) {
    rollBack(database)
    if (isBusy(err)) throw new StoreLocked('Another program keeps the event store locked', { cause: err })
    // If the flush failed, the commit may be in the write-ahead log already and survive a restart.
    throw committing && !isSurelyNotWritten(err)
      ? new OutcomeUnknown('The event store failed during a commit', { cause: err })
      : new StoreUnavailable('The event store cannot be written', { cause: err })
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK')
  } catch {
    // Report the first failure. If the rollback really failed, the next BEGIN fails too.
  }
}
