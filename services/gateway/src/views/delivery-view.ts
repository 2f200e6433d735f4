import type { DatabaseSync } from 'node:sqlite'
import type { DeliveryEvent } from '@platen/domain/delivery/delivery-events.ts'
import { type DeliveryRecord, evolveDeliveryRecord } from '@platen/domain/delivery/delivery-record.ts'
import type { StoredEvent } from '@platen/event-store/event-store.ts'
import { domainEvent } from '@platen/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/event-store/stream-name.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { type DeliveryFilter, deliveryIndexes, deliverySearch, placeOfDelivery } from './delivery-search.ts'
import type { View } from './view.ts'

/** A page of deliveries, newest first. */
export interface FoundDeliveries {
  items: DeliveryRecord[]
  /** The place down to which was searched, if the search has ended before the page is full and there are older ones. */
  searchedTo?: string
}

export interface DeliveryView extends View {
  /** A limited number of deliveries is compared with the filter. Of each there are the newest attempts only. */
  list(filter: DeliveryFilter): Promise<FoundDeliveries>
}

/** A delivery that has ended is listed for this time after it was scheduled, as long as a range of them can be sent again. */
const keptMs = 90 * 24 * 3_600_000
/** Each redelivery begins a schedule of ten attempts, with an answer of up to 1 KiB each. */
const maxAttempts = 20

export const deliveryTables = `
  CREATE TABLE deliveries(
    id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, place TEXT NOT NULL, status TEXT NOT NULL, host TEXT NOT NULL,
    url TEXT NOT NULL, source TEXT NOT NULL, state TEXT NOT NULL) STRICT;
  ${deliveryIndexes}`

export function deliveryView(db: DatabaseSync): DeliveryView {
  const byId = db.prepare('SELECT state FROM deliveries WHERE id = ?')
  const search = deliverySearch(db)
  const save = db.prepare(
    `INSERT INTO deliveries(id, owner_id, place, status, host, url, source, state)
     VALUES (:id, :owner_id, :place, :status, :host, :url, :source, :state)
     ON CONFLICT(id) DO UPDATE SET status = excluded.status, state = excluded.state`,
  )
  const remove = db.prepare('DELETE FROM deliveries WHERE id = ?')
  const forget = db.prepare("DELETE FROM deliveries WHERE place < ? AND status <> 'pending'")
  const find = (id: string) => {
    const row = byId.get(id)
    return row && recordOf(row)
  }
  return {
    remove: (id) => void remove.run(id),
    apply(event) {
      const record = evolveDeliveryRecord(find(aggregateIdOf(event.stream)), withShortBody(event))
      const { id, state, createdAt, attempts } = record
      // One that was forgotten has been sent again.
      if (state.status === 'absent') return
      if (event.type === 'DeliveryScheduled') forget.run(new Date(Date.parse(createdAt) - keptMs).toISOString())
      const { owner_id, url, generation_id, batch_id = '' } = state.delivery
      save.run({
        id,
        owner_id,
        place: placeOfDelivery(createdAt, id),
        status: state.status,
        url,
        host: new URL(url).host,
        source: generation_id ?? batch_id,
        state: JSON.stringify({ ...record, attempts: attempts.slice(-maxAttempts) }),
      })
    },
    async list(filter) {
      const { rows, searchedTo } = await search(filter)
      return { items: rows.map(recordOf), ...defined({ searchedTo }) }
    },
  }
}

function recordOf({ state }: Record<string, unknown>): DeliveryRecord {
  return JSON.parse(String(state))
}

/** Of the body, only the type is shown. */
function withShortBody(event: StoredEvent): StoredEvent {
  const { type, data } = domainEvent<DeliveryEvent>(event)
  if (type !== 'DeliveryScheduled') return event
  return { ...event, data: { ...data, body: JSON.stringify({ type: typeOf(data.body) }) } }
}

function typeOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { type?: unknown } | null)?.type
  } catch {
    return undefined
  }
}
