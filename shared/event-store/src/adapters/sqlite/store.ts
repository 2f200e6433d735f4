import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { WakeUp } from '@platen/foundation/runtime/wake-up.ts'
import { assertAppendable } from '../../appendable.ts'
import { removalsStream } from '../../event-catalogue.ts'
import {
  type Appended,
  type AppendOptions,
  type EventStore,
  type ExpectedRevision,
  InvalidPosition,
  type Item,
  type NewEvent,
  type Position,
  type ReadLogOptions,
  type ReadOptions,
  type StoredEvent,
  StoreLocked,
  StoreUnavailable,
  type SubscribeOptions,
} from '../../event-store.ts'
import { assertCategories, assertStreamName, categoryOf } from '../../stream-name.ts'
import {
  decodeEvent,
  decodePosition,
  encodeEvent,
  encodePosition,
  eventColumns,
  eventColumnsWithoutData,
} from './codec.ts'
import { followLog } from './follow-log.ts'
import { ForeignCommits } from './foreign-commits.ts'
import { endReader, idReader, logReader, pageRows, readPage, streamFinder, timeReader } from './pages.ts'
import { RecentLog } from './recent-log.ts'
import { openEventDatabase } from './schema.ts'
import { storeFile } from './store-lock.ts'
import type { Append, Written } from './stream-writer.ts'
import { WriteLock } from './write-lock.ts'
import { SqliteWriterThread } from './writer-thread.ts'

const appendTimeoutMs = 5_000

/** The log in a SQLite file. Several processes of one machine may share it. */
export class SqliteEventStore implements EventStore {
  readonly #database: DatabaseSync
  readonly #token: string
  readonly #lock: Disposable
  readonly #writer: SqliteWriterThread
  /** Which categories each subscription reads; undefined for all. */
  readonly #subscriptions = new Map<WakeUp, readonly string[] | undefined>()
  readonly #foreignCommits: ForeignCommits
  readonly #writeLock: WriteLock
  readonly #recent: RecentLog
  readonly #stream: StreamStatements
  readonly #streamWithoutData: StreamStatements
  readonly #readEnd: ReturnType<typeof endReader>
  readonly #readId: ReturnType<typeof idReader>
  readonly #hasRemovals: ReturnType<typeof streamFinder>
  readonly #readBefore: ReturnType<typeof timeReader>
  readonly #ending = new AbortController()
  #closed: Promise<void> | undefined

  /** Throws SQLite's error if the file cannot be opened. */
  constructor(path: string) {
    const { database, token, lock } = openEventDatabase(path)
    this.#database = database
    this.#token = token
    this.#lock = lock
    this.#recent = new RecentLog(token)
    this.#writer = new SqliteWriterThread({ path, token }, (append, written) => this.#onCommitted(append, written))
    this.#stream = streamStatements(database, eventColumns)
    this.#streamWithoutData = streamStatements(database, eventColumnsWithoutData)
    this.#readEnd = endReader(database)
    this.#foreignCommits = new ForeignCommits({
      logPath: `${storeFile(path)}-wal`,
      readEnd: () => this.#readEnd()?.rowId ?? 0,
      onFound: () => {
        for (const wakeUp of this.#subscriptions.keys()) wakeUp.wake()
      },
    })
    // No append fails because of a lock that is shorter.
    const readEnd = () => this.#readEnd()?.rowId ?? 0
    this.#writeLock = new WriteLock({ database, readEnd, patienceMs: appendTimeoutMs })
    this.#readId = idReader(database)
    this.#hasRemovals = streamFinder(database, removalsStream)
    this.#readBefore = timeReader(database)
  }

  async append(
    stream: string,
    events: readonly [NewEvent, ...NewEvent[]],
    expected: ExpectedRevision,
    { timeoutMs = appendTimeoutMs }: AppendOptions = {},
  ): Promise<Appended> {
    this.#assertOpen()
    assertAppendable(stream, events, expected)
    const append = { stream, events: events.map(encodeEvent), expected }
    const appended = await this.#writer.append(append, timeoutMs).catch((err) => {
      if (err instanceof StoreLocked) this.#writeLock.refused(err)
      throw err
    })
    this.#writeLock.proven()
    return appended
  }

  async *readStream(stream: string, options: ReadOptions = {}): AsyncIterable<StoredEvent> {
    assertStreamName(stream)
    const { backwards = false, from = backwards ? 'end' : 'start', limit = Number.POSITIVE_INFINITY, signal } = options
    if (from === 'end' && !backwards) return
    const statements = options.withoutData ? this.#streamWithoutData : this.#stream
    const statement = backwards ? statements.backwards : statements.forwards
    let revision = from === 'start' ? 0 : from === 'end' ? Number.MAX_SAFE_INTEGER : from
    for (let left = limit; left > 0; await nextTurn()) {
      this.#assertOpen()
      const { rows, last } = readPage(statement, stream, revision, Math.min(left, pageRows))
      for (const row of rows) {
        // Throw: a read that ended early would look like the whole stream.
        signal?.throwIfAborted()
        yield decodeEvent(row, this.#token)
        revision = row.revision + (backwards ? -1 : 1)
      }
      if (last) return
      left -= rows.length
    }
  }

  async *readLog({ after, categories, signal }: ReadLogOptions): AsyncIterable<StoredEvent> {
    this.#assertOpen()
    assertCategories(categories)
    const readPage = logReader(this.#database, categories)
    for (let from = this.#rowIdOf(after); ; await nextTurn()) {
      this.#assertOpen()
      const { rows, last, scannedTo } = readPage(from)
      for (const row of rows) {
        signal?.throwIfAborted()
        yield decodeEvent(row, this.#token)
      }
      if (last) return
      from = scannedTo?.rowId ?? from
    }
  }

  async check(): Promise<void> {
    await this.end()
    this.#writeLock.check()
  }

  async identity(): Promise<string> {
    this.#assertOpen()
    return this.#token
  }

  async end(): Promise<Position | 'start'> {
    this.#assertOpen()
    const end = this.#readEnd()
    return end === undefined ? 'start' : encodePosition(end.rowId, this.#token, end.id)
  }

  async before(time: Date): Promise<Position | 'start'> {
    this.#assertOpen()
    const found = this.#readBefore(time.getTime())
    return found === undefined ? 'start' : encodePosition(found.rowId, this.#token, found.id)
  }

  async *subscribe({ after, categories, signal }: SubscribeOptions): AsyncIterable<Item> {
    this.#assertOpen()
    if (categories) assertCategories(categories)
    const wakeUp = new WakeUp()
    this.#subscriptions.set(wakeUp, categories)
    this.#foreignCommits.watch()
    try {
      yield* followLog({
        readPage: logReader(this.#database, categories),
        recentPage: (rowId) => this.#recent.pageAfter(rowId, this.#foreignCommits.known, categories),
        decode: (row) => this.#recent.decode(row),
        after: this.#rowIdOf(after),
        token: this.#token,
        wakeUp,
        signal: AbortSignal.any([signal, this.#ending.signal]),
      })
    } finally {
      this.#subscriptions.delete(wakeUp)
      if (this.#subscriptions.size === 0) this.#foreignCommits[Symbol.dispose]()
    }
  }

  /** Waits for pending appends. */
  close(): Promise<void> {
    this.#closed ??= this.#writer.close().then(() => {
      this.#database.close()
      this.#lock[Symbol.dispose]()
    })
    this.#ending.abort()
    this.#foreignCommits[Symbol.dispose]()
    this.#writeLock[Symbol.dispose]()
    return this.#closed
  }

  #onCommitted(append: Append, { appended, created }: Written): void {
    const { stream, events } = append
    const { rowId: last } = decodePosition(appended.position, this.#token)
    if (created !== undefined) this.#recent.committed(append, { revision: appended.revision, last, created })
    this.#foreignCommits.committed(last - events.length + 1, last)
    const category = categoryOf(stream)
    for (const [wakeUp, categories] of this.#subscriptions) if (categories?.includes(category) ?? true) wakeUp.wake()
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreUnavailable('The event store is closed')
  }

  #rowIdOf(after: Position | 'start' | 'end'): number {
    if (after === 'start') return 0
    if (after === 'end') return this.#readEnd()?.rowId ?? 0
    const { rowId, id } = decodePosition(after, this.#token)
    // A file that was restored from a backup uses positions again that this reader has already passed.
    const found = this.#readId(rowId)
    if (found === undefined && rowId > (this.#readEnd()?.rowId ?? 0)) {
      throw new InvalidPosition(`The event store ends before the position ${after}`)
    }
    // The event was moved to the archive.
    if (found === undefined && this.#hasRemovals()) return rowId
    if (id !== found) throw new InvalidPosition(`The event store has another event, or none, at ${after}`)
    return rowId
  }
}

interface StreamStatements {
  forwards: StatementSync
  backwards: StatementSync
}

function streamStatements(database: DatabaseSync, columns: string): StreamStatements {
  const select = `SELECT ${columns} FROM events WHERE stream = ?`
  return {
    forwards: database.prepare(`${select} AND revision >= ? ORDER BY revision LIMIT ?`),
    backwards: database.prepare(`${select} AND revision <= ? ORDER BY revision DESC LIMIT ?`),
  }
}
