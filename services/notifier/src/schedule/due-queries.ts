import type { DatabaseSync } from 'node:sqlite'

export interface Due {
  id: string
  /** Counts from 1. */
  attempt: number
  ownerId: string
  host: string
  nextAtMs: number
}

/** Names an attempt in the memory of a process. */
export const attemptKey = ({ id, attempt }: Pick<Due, 'id' | 'attempt'>): string => `${id}.${attempt}`

export interface DueWanted {
  nowMs: number
  /** The maximum for each host of each owner. */
  perHost: number
  /** Attempts to leave out: `<id>.<attempt>`. */
  except: ReadonlySet<string>
}

export interface DueQueries {
  /**
   * Due attempts: the first for each host of each owner. One call reads a limited number of hosts, so that an owner
   * with many does not hold the event loop. If `complete` is false, the next call continues.
   */
  due(wanted: DueWanted): { attempts: Due[]; complete: boolean }
  /** When the next attempt after `nowMs` is due; undefined when there is none. */
  nextAtMs(nowMs: number): number | undefined
  /** The number of deliveries that have not ended. */
  pending(): number
}

/** The most hosts of all owners that one call reads. */
const maxHosts = 500
const minHostsOfOwner = 10

// Steps from owner to owner along the index, so that the cost does not depend on the backlog of one.
const ownersInOrder = `
  WITH RECURSIVE owners(id) AS (
    SELECT min(owner_id) FROM deliveries
    UNION ALL
    SELECT (SELECT min(owner_id) FROM deliveries WHERE owner_id > owners.id) FROM owners WHERE id IS NOT NULL
  )
  SELECT id FROM owners WHERE id IS NOT NULL`

export function dueQueries(database: DatabaseSync): DueQueries {
  const owners = database.prepare(ownersInOrder)
  const hostAfter = database.prepare('SELECT min(host) AS host FROM deliveries WHERE owner_id = ? AND host > ?')
  const dueOfHost = database.prepare(
    `SELECT id, attempt, next_at_ms FROM deliveries WHERE owner_id = ? AND host = ? AND next_at_ms <= ?
     ORDER BY next_at_ms`,
  )
  const next = database.prepare('SELECT min(next_at_ms) AS at FROM deliveries WHERE next_at_ms > ?')
  const count = database.prepare('SELECT count(*) AS count FROM deliveries')
  /** Owners with more hosts than one call reads: the last host that was read. */
  const lastHosts = new Map<string, string>()

  function* dueOf(ownerId: string, host: string, { nowMs, perHost, except }: DueWanted): Generator<Due> {
    let left = perHost
    for (const row of dueOfHost.iterate(ownerId, host, nowMs)) {
      const due = { id: String(row.id), attempt: Number(row.attempt), ownerId, host, nextAtMs: Number(row.next_at_ms) }
      if (except.has(attemptKey(due))) continue
      yield due
      if (--left === 0) return
    }
  }

  /** The hosts after the last one, then from the first one. Returns whether all were read. */
  function* hostsOf(ownerId: string, limit: number): Generator<string, boolean> {
    const start = lastHosts.get(ownerId) ?? ''
    lastHosts.delete(ownerId)
    let host = start
    let isRoundAgain = start === ''
    for (let looked = 0; looked < limit; looked++) {
      const found = hostAfter.get(ownerId, host)?.host ?? undefined
      if (found === undefined && isRoundAgain) return true
      host = found === undefined ? '' : String(found)
      if (isRoundAgain && start !== '' && host > start) return true
      if (found === undefined) isRoundAgain = true
      else yield host
    }
    lastHosts.set(ownerId, host)
    return false
  }

  return {
    due(wanted) {
      const ids = owners.all().map(({ id }) => String(id))
      const limit = Math.max(minHostsOfOwner, Math.ceil(maxHosts / Math.max(1, ids.length)))
      const attempts: Due[] = []
      let complete = true
      for (const ownerId of ids) {
        const hosts = hostsOf(ownerId, limit)
        let step = hosts.next()
        for (; !step.done; step = hosts.next()) attempts.push(...dueOf(ownerId, step.value, wanted))
        complete = step.value && complete
      }
      return { attempts, complete }
    },
    nextAtMs(nowMs) {
      const at = next.get(nowMs)?.at
      return at == null ? undefined : Number(at)
    },
    pending: () => Number(count.get()?.count),
  }
}
