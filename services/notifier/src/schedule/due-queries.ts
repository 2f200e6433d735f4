import type { DatabaseSync } from 'node:sqlite'

export interface Due {
  id: string
  /** Counts from 1. */
  attempt: number
  host: string
  nextAtMs: number
}

// Steps from host to host along the index, so that the cost does not depend on the backlog of one host.
const dueByHost = `
  WITH RECURSIVE hosts(host) AS (
    SELECT min(host) FROM deliveries
    UNION ALL
    SELECT (SELECT min(host) FROM deliveries WHERE host > hosts.host) FROM hosts WHERE host IS NOT NULL
  )
  SELECT id, attempt, deliveries.host, next_at_ms FROM hosts CROSS JOIN deliveries
  WHERE hosts.host IS NOT NULL AND id IN (
    SELECT id FROM deliveries
    WHERE host = hosts.host AND next_at_ms <= :now
      AND id || '.' || attempt NOT IN (SELECT value FROM json_each(:except))
    ORDER BY next_at_ms LIMIT :perHost
  )`

export interface DueQueries {
  /** Attempts due now: the first `perHost` of every host, without those in `except` (`<id>.<attempt>`). */
  due(wanted: { nowMs: number; perHost: number; except: readonly string[] }): Due[]
  /** When the next attempt after `nowMs` is due; undefined when there is none. */
  nextAtMs(nowMs: number): number | undefined
}

export function dueQueries(database: DatabaseSync): DueQueries {
  const due = database.prepare(dueByHost)
  const next = database.prepare('SELECT min(next_at_ms) AS at FROM deliveries WHERE next_at_ms > ?')
  return {
    due: ({ nowMs, perHost, except }) =>
      due.all({ ':now': nowMs, ':perHost': perHost, ':except': JSON.stringify(except) }).map((row) => ({
        id: String(row.id),
        attempt: Number(row.attempt),
        host: String(row.host),
        nextAtMs: Number(row.next_at_ms),
      })),
    nextAtMs(nowMs) {
      const at = next.get(nowMs)?.at
      return at == null ? undefined : Number(at)
    },
  }
}
