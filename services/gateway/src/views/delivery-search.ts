import type { DatabaseSync } from 'node:sqlite'
import type { DeliveryStatus } from '@platen/domain/delivery/delivery.ts'
import { type FoundRows, rowSearch, type Source } from './search-rows.ts'

export interface DeliveryFilter {
  /** Undefined: of all owners. */
  ownerId: string | undefined
  /** Any of these. */
  statuses?: readonly DeliveryStatus[] | undefined
  /** The host of the URL, with its port if that is not the one of the scheme. */
  host?: string | undefined
  /** The whole URL, normalized. */
  url?: string | undefined
  /** The generation or batch that it reports. */
  source?: string | undefined
  /** The oldest place: the time of the schedule, or a place. */
  from: string | undefined
  /** Only deliveries before this place. */
  before: string | undefined
  limit: number
}

/** Deliveries are sorted by their place: the time of the schedule, and the id, which has no time. */
export const placeOfDelivery = (createdAt: string, id: string) => `${createdAt}.${id}`

export const deliveryIndexes = `
  CREATE INDEX deliveries_owner ON deliveries(owner_id, place);
  CREATE INDEX deliveries_status ON deliveries(owner_id, status, place);
  CREATE INDEX deliveries_host ON deliveries(owner_id, host, place);
  CREATE INDEX deliveries_source ON deliveries(source, place);
  CREATE INDEX all_deliveries ON deliveries(place);
  CREATE INDEX all_deliveries_status ON deliveries(status, place) WHERE status <> 'succeeded';`

const conditions = `
  AND (:ownerId IS NULL OR d.owner_id = :ownerId)
  AND (:statuses IS NULL OR d.status IN (SELECT value FROM json_each(:statuses)))
  AND (:host IS NULL OR d.host = :host)
  AND (:url IS NULL OR d.url = :url)
  AND (:source IS NULL OR d.source = :source)`

/** Finds the deliveries that a filter selects, newest first. */
export function deliverySearch(db: DatabaseSync): (filter: DeliveryFilter) => Promise<FoundRows> {
  const search = rowSearch(db)
  return (filter) => {
    const { ownerId = null, statuses, host = null, url = null, source = null, from = '', before = '~', limit } = filter
    const values = { ownerId, statuses: statuses ? JSON.stringify(statuses) : null, host, url, source }
    return search({ columns: 'd.place, d.state', sources: sourcesOf(filter), conditions, values, from, before, limit })
  }
}

/** The sources with the fewest deliveries that the filter does not select, of those for which there is an index. */
function sourcesOf({ ownerId, statuses = [], host, source }: DeliveryFilter): Source[] {
  if (source !== undefined) return [indexed('deliveries_source', 'd.source = :reported', { reported: source })]
  // Most have succeeded.
  const isRare = statuses.length > 0 && !statuses.includes('succeeded')
  if (ownerId === undefined) {
    if (!isRare) return [indexed('all_deliveries', 'TRUE')]
    const condition = "d.status = :status AND d.status <> 'succeeded'"
    return statuses.map((status) => indexed('all_deliveries_status', condition, { status }))
  }
  const ofOwner = (index: string, condition: string, values = {}) =>
    indexed(index, `d.owner_id = :owner ${condition}`, { owner: ownerId, ...values })
  if (host !== undefined && !isRare) return [ofOwner('deliveries_host', 'AND d.host = :ofHost', { ofHost: host })]
  if (statuses.length === 0) return [ofOwner('deliveries_owner', '')]
  return statuses.map((status) => ofOwner('deliveries_status', 'AND d.status = :status', { status }))
}

function indexed(index: string, condition: string, values = {}): Source {
  return { rows: `deliveries d INDEXED BY ${index} WHERE ${condition}`, key: 'd.place', values }
}
