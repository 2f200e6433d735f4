import type { DatabaseSync } from 'node:sqlite'
import { endpointId } from '@platen/domain/delivery/decide-endpoint.ts'
import type { DeliveryStatus } from '@platen/domain/delivery/delivery.ts'
import type { DeliveryEvent } from '@platen/domain/delivery/delivery-events.ts'
import type { EndpointDisabled, EndpointEvent } from '@platen/domain/delivery/endpoint-events.ts'
import type { Unreadable } from '@platen/event-store/decider.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { isTombstone } from '@platen/event-store/with-catalogue.ts'
import { openViewDatabase, type ViewDatabase, type ViewSchema } from '@platen/service-kit/projections/view-database.ts'
import { lostFile } from '../webhook/body-unavailable.ts'
import { type DueQueries, dueQueries } from './due-queries.ts'

/** A delivery that has ended is listed for this time after it was scheduled. */
const keptMs = 90 * 24 * 3_600_000

const schema: ViewSchema = {
  version: 3,
  tables: `
    CREATE TABLE deliveries(
      id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, host TEXT NOT NULL, attempt INTEGER NOT NULL, next_at_ms INTEGER NOT NULL) STRICT;
    CREATE INDEX deliveries_by_host ON deliveries(owner_id, host, next_at_ms);
    CREATE INDEX deliveries_by_time ON deliveries(next_at_ms);
    CREATE TABLE history(
      id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, endpoint_id TEXT NOT NULL, status TEXT NOT NULL,
      scheduled_at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX history_by_status ON history(owner_id, status, scheduled_at_ms);
    CREATE INDEX history_by_time ON history(scheduled_at_ms);
    CREATE TABLE endpoints(id TEXT PRIMARY KEY, failing_since_ms INTEGER, disabled TEXT) STRICT, WITHOUT ROWID`,
}

export interface EndpointView {
  /** Since when every attempt has failed, in ms since the epoch. */
  failingSinceMs?: number
  disabled?: EndpointDisabled['data']['reason']
}

export interface HistoryFilter {
  ownerId: string
  /** When the delivery was scheduled, in ms since the epoch. Inclusive. */
  sinceMs: number
  /** Exclusive. */
  untilMs: number
  status: DeliveryStatus
  limit: number
}

export interface FoundDelivery {
  id: string
  scheduledAtMs: number
}

export type ReceiverCounts = Record<'failing' | 'disabled', number>

/** A view of the next attempt of each pending delivery, of recent deliveries, and of endpoints that fail. */
export interface DueView extends DueQueries, Disposable {
  readonly database: ViewDatabase
  apply(event: StoredEvent): void
  endpoint(id: string): EndpointView
  /** The receivers whose last attempts have all failed, and those that are disabled. */
  receivers(): ReceiverCounts
  /** Oldest first. */
  history(filter: HistoryFilter): FoundDelivery[]
}

export function openDueView(path: string): DueView {
  const database = openViewDatabase(path, schema)
  const { db } = database
  const applyDelivery = deliveryWriter(db)
  const applyEndpoint = endpointWriter(db)
  const endpoint = db.prepare('SELECT failing_since_ms, disabled FROM endpoints WHERE id = ?')
  const receivers = db.prepare('SELECT count(disabled) AS disabled, count(*) AS count FROM endpoints')
  const history = db.prepare(
    `SELECT id, scheduled_at_ms FROM history INDEXED BY history_by_status
     WHERE owner_id = :ownerId AND scheduled_at_ms >= :sinceMs AND scheduled_at_ms < :untilMs AND status = :status
     ORDER BY scheduled_at_ms LIMIT :limit`,
  )
  const tables = ['deliveries', 'history', 'endpoints']
  const forget = tables.map((table) => db.prepare(`DELETE FROM ${table} WHERE id = ?`))
  return {
    ...dueQueries(db),
    database,
    apply(event) {
      const id = aggregateIdOf(event.stream)
      if (isTombstone(event)) for (const statement of forget) statement.run(id)
      else if (event.stream.startsWith('endpoint-')) applyEndpoint(id, domainEvent<EndpointEvent>(event))
      else applyDelivery(id, domainEvent<DeliveryEvent>(event), event)
    },
    endpoint(id) {
      const { failing_since_ms, disabled } = endpoint.get(id) ?? {}
      return {
        ...(failing_since_ms != null && { failingSinceMs: Number(failing_since_ms) }),
        ...(disabled != null && { disabled: disabled as EndpointDisabled['data']['reason'] }),
      }
    },
    receivers() {
      const { disabled, count } = receivers.get() ?? {}
      return { failing: Number(count) - Number(disabled), disabled: Number(disabled) }
    },
    history: (filter) =>
      history
        .all({ ...filter })
        .map(({ id, scheduled_at_ms }) => ({ id: String(id), scheduledAtMs: Number(scheduled_at_ms) })),
    [Symbol.dispose]: () => database[Symbol.dispose](),
  }
}

function timeMs({ metadata, recordedAt }: StoredEvent): number {
  return typeof metadata.time === 'string' ? Date.parse(metadata.time) : recordedAt.getTime()
}

function deliveryWriter(db: DatabaseSync) {
  const schedule = db.prepare('INSERT OR REPLACE INTO deliveries VALUES (?, ?, ?, ?, ?)')
  const postpone = db.prepare('UPDATE deliveries SET attempt = ?, next_at_ms = ? WHERE id = ?')
  const remove = db.prepare('DELETE FROM deliveries WHERE id = ?')
  const remember = db.prepare("INSERT OR REPLACE INTO history VALUES (?, ?, ?, 'pending', ?)")
  const ownerOf = db.prepare('SELECT owner_id FROM history WHERE id = ?')
  const setStatus = db.prepare('UPDATE history SET status = ? WHERE id = ?')
  const forget = db.prepare("DELETE FROM history WHERE scheduled_at_ms < ? AND status <> 'pending'")
  const fails = db.prepare(
    `INSERT INTO endpoints(id, failing_since_ms) SELECT endpoint_id, ? FROM history WHERE id = ?
     ON CONFLICT(id) DO UPDATE SET failing_since_ms = coalesce(failing_since_ms, excluded.failing_since_ms)`,
  )
  const works = db.prepare(
    'DELETE FROM endpoints WHERE disabled IS NULL AND id = (SELECT endpoint_id FROM history WHERE id = ?)',
  )
  const end = (id: string, status: DeliveryStatus) => {
    remove.run(id)
    setStatus.run(status, id)
  }
  return (id: string, event: DeliveryEvent | Unreadable, stored: StoredEvent) => {
    const nowMs = timeMs(stored)
    switch (event.type) {
      case 'DeliveryScheduled': {
        const { owner_id: owner, url, next_at } = event.data
        schedule.run(id, owner, new URL(url).hostname, 1, Date.parse(next_at))
        forget.run(nowMs - keptMs)
        remember.run(id, owner, endpointId(owner, url), nowMs)
        return
      }
      case 'DeliveryRescheduled': {
        const { url, attempt, next_at } = event.data
        // The owner of a delivery that is no longer listed is unknown.
        const owner = String(ownerOf.get(id)?.owner_id ?? '')
        schedule.run(id, owner, new URL(url).hostname, attempt, Date.parse(next_at))
        setStatus.run('pending', id)
        return
      }
      case 'DeliveryAttempted': {
        const { attempt, next_at, error } = event.data
        if (next_at !== undefined) postpone.run(attempt + 1, Date.parse(next_at), id)
        // The receiver is not at fault.
        if (error !== lostFile) fails.run(nowMs, id)
        return
      }
      case 'DeliverySucceeded':
        end(id, 'succeeded')
        works.run(id)
        return
      case 'DeliveryExhausted':
        end(id, 'exhausted')
        return
      case '$unreadable':
        return
    }
    event satisfies never
  }
}

function endpointWriter(db: DatabaseSync) {
  const disable = db.prepare(
    'INSERT INTO endpoints(id, disabled) VALUES (?, ?) ON CONFLICT(id) DO UPDATE SET disabled = excluded.disabled',
  )
  const enable = db.prepare('DELETE FROM endpoints WHERE id = ?')
  return (id: string, event: EndpointEvent | Unreadable) => {
    if (event.type === 'EndpointDisabled') disable.run(id, event.data.reason)
    else if (event.type === 'EndpointEnabled') enable.run(id)
    else event satisfies Unreadable
  }
}
