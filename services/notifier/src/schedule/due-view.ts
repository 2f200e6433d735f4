import type { DatabaseSync } from 'node:sqlite'
import type { DeliveryEvent } from '@platen/shared/contracts/delivery.ts'
import type { StoredEvent } from '@platen/shared/event-store/event-store.ts'
import { domainEvent } from '@platen/shared/event-store/handle-command.ts'
import { aggregateIdOf } from '@platen/shared/event-store/stream-name.ts'
import { openViewDatabase, type ViewDatabase, type ViewSchema } from '@platen/shared/projections/view-database.ts'
import { type DueQueries, dueQueries } from './due-queries.ts'

const schema: ViewSchema = {
  version: 2,
  tables: `
    CREATE TABLE deliveries(
      id TEXT PRIMARY KEY, host TEXT NOT NULL, attempt INTEGER NOT NULL, next_at_ms INTEGER NOT NULL) STRICT;
    CREATE INDEX deliveries_by_host ON deliveries(host, next_at_ms);
    CREATE INDEX deliveries_by_time ON deliveries(next_at_ms)`,
}

/** A view of the next attempt of each pending delivery. */
export interface DueView extends DueQueries, Disposable {
  readonly database: ViewDatabase
  apply(event: StoredEvent): void
}

export function openDueView(path: string): DueView {
  const database = openViewDatabase(path, schema)
  const write = writer(database.db)
  return {
    ...dueQueries(database.db),
    database,
    apply: (event) => write(aggregateIdOf(event.stream), domainEvent<DeliveryEvent>(event)),
    [Symbol.dispose]: () => database[Symbol.dispose](),
  }
}

function writer(database: DatabaseSync) {
  const insert = database.prepare('INSERT OR REPLACE INTO deliveries VALUES (?, ?, ?, ?)')
  const postpone = database.prepare('UPDATE deliveries SET attempt = ?, next_at_ms = ? WHERE id = ?')
  const remove = database.prepare('DELETE FROM deliveries WHERE id = ?')
  return (id: string, event: DeliveryEvent) => {
    switch (event.type) {
      case 'DeliveryScheduled':
        insert.run(id, new URL(event.data.url).hostname, 1, Date.parse(event.data.next_at))
        break
      case 'DeliveryAttempted': {
        const { attempt, next_at } = event.data
        if (next_at !== undefined) postpone.run(attempt + 1, Date.parse(next_at), id)
        break
      }
      case 'DeliverySucceeded':
      case 'DeliveryExhausted':
        remove.run(id)
    }
  }
}
