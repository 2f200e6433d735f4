import type { ContentErased, GenerationEvent, GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import type { Unreadable } from '@platen/event-store/decider.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { openViewDatabase, type ViewDatabase, type ViewSchema } from '@platen/service-kit/projections/view-database.ts'

const schema: ViewSchema = {
  version: 3,
  // `queued` is not built from the log: it holds commands that were seen in the stream COMMANDS. `since_ms` is the time
  // at which JetStream stored the command, which is the same for every supervisor; until it is read, the time at which
  // the command was first seen. `retries` holds generations that were made again and have ended, until they are forgotten.
  tables: `
    CREATE TABLE open(id TEXT PRIMARY KEY, since_ms INTEGER NOT NULL, retry_of TEXT) STRICT, WITHOUT ROWID;
    CREATE TABLE retries(id TEXT PRIMARY KEY, retry_of TEXT NOT NULL, failed INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX open_by_time ON open(since_ms);
    CREATE TABLE queued(
      id TEXT PRIMARY KEY, subject TEXT NOT NULL, request TEXT, since_ms INTEGER NOT NULL,
      last_seen_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX queued_by_time ON queued(last_seen_ms)`,
}

/** A command that was seen in the stream COMMANDS. */
export interface SeenCommand {
  id: string
  subject: string
  /** The request as JSON; undefined until the command was read. */
  request: string | undefined
}

/** A generation that was another one made again, and has ended. */
export interface EndedRetry {
  id: string
  retryOf: string
  failed: boolean
}

/** A view of the generations that have not ended: those that have started, from the log, and those that are queued. */
export interface OpenGenerations extends Disposable {
  readonly database: ViewDatabase
  apply(event: StoredEvent): void
  /** Ids of generations that were started before this time, in ms since the epoch, and have not ended. Oldest first. */
  startedBefore(ms: number, limit: number): string[]
  /** Marks these commands as seen. */
  saw(commands: ReadonlyMap<string, string>, nowMs: number): void
  /** `sinceMs`: when the command was stored. */
  setRequest(id: string, request: string, sinceMs: number): void
  forget(id: string): void
  /** Commands stored before this time, and still seen at `nowMs`. In any order. */
  waitingSince(ms: number, nowMs: number, limit: number): SeenCommand[]
  unread(limit: number): SeenCommand[]
  /** Commands not seen since this time. */
  missingSince(ms: number, limit: number): SeenCommand[]
  endedRetries(): EndedRetry[]
  forgetRetry(id: string): void
}

export function openGenerationsView(path: string): OpenGenerations {
  const database = openViewDatabase(path, schema)
  const { db } = database
  const insert = db.prepare(
    'INSERT INTO open VALUES (?, ?, ?) ON CONFLICT(id) DO UPDATE SET since_ms = excluded.since_ms',
  )
  const close = db.prepare('DELETE FROM open WHERE id = ?')
  const endRetry = db.prepare(
    'INSERT OR IGNORE INTO retries SELECT id, retry_of, ? FROM open WHERE id = ? AND retry_of IS NOT NULL',
  )
  const retries = db.prepare('SELECT * FROM retries')
  const forgetRetry = db.prepare('DELETE FROM retries WHERE id = ?')
  const started = db.prepare('SELECT id FROM open WHERE since_ms < ? ORDER BY since_ms LIMIT ?')
  const see = db.prepare(
    `INSERT INTO queued(id, subject, since_ms, last_seen_ms) VALUES (:id, :subject, :now, :now)
     ON CONFLICT(id) DO UPDATE SET last_seen_ms = :now`,
  )
  const setRequest = db.prepare('UPDATE queued SET request = ?, since_ms = ? WHERE id = ?')
  const forget = db.prepare('DELETE FROM queued WHERE id = ?')
  const columns = 'id, subject, request FROM queued'
  const waiting = db.prepare(`SELECT ${columns} WHERE since_ms < ? AND last_seen_ms = ? LIMIT ?`)
  const unread = db.prepare(`SELECT ${columns} WHERE request IS NULL ORDER BY since_ms LIMIT ?`)
  const missing = db.prepare(`SELECT ${columns} WHERE last_seen_ms < ? ORDER BY last_seen_ms LIMIT ?`)
  return {
    database,
    apply(event) {
      const id = aggregateIdOf(event.stream)
      const change = domainEvent<GenerationEvent>(event)
      const atMs = event.recordedAt.getTime()
      if (change.type === 'GenerationRequested') insert.run(id, atMs, change.data.retry_of ?? null)
      else if (change.type === 'GenerationStarted') insert.run(id, atMs, null)
      else {
        // Content is erased only after the end, and an event that cannot be read may be the end.
        change satisfies GenerationOutcome | ContentErased | Unreadable
        endRetry.run(Number(change.type === 'GenerationFailed'), id)
        close.run(id)
      }
    },
    startedBefore: (ms, limit) => started.all(ms, limit).map(({ id }) => String(id)),
    saw(commands, nowMs) {
      db.exec('BEGIN')
      for (const [id, subject] of commands) see.run({ ':id': id, ':subject': subject, ':now': nowMs })
      db.exec('COMMIT')
    },
    setRequest: (id, request, sinceMs) => void setRequest.run(request, sinceMs, id),
    forget: (id) => void forget.run(id),
    waitingSince: (ms, nowMs, limit) => waiting.all(ms, nowMs, limit).map(commandOf),
    unread: (limit) => unread.all(limit).map(commandOf),
    missingSince: (ms, limit) => missing.all(ms, limit).map(commandOf),
    endedRetries: () =>
      retries.all().map(({ id, retry_of, failed }) => ({
        id: String(id),
        retryOf: String(retry_of),
        failed: failed === 1,
      })),
    forgetRetry: (id) => void forgetRetry.run(id),
    [Symbol.dispose]: () => database[Symbol.dispose](),
  }
}

function commandOf(row: Record<string, unknown>): SeenCommand {
  const { id, subject, request } = row
  return {
    id: String(id),
    subject: String(subject),
    request: request === null ? undefined : String(request),
  }
}
