import { api, unwrap } from '../../api/client.ts'
import type { Delivery } from './delivery-columns.tsx'
import { type DeliveryFilter, queryOf } from './delivery-filter.ts'

/** What a redelivery would send again. `isAll` is false if there are more than were counted. */
export interface Found {
  deliveries: readonly Pick<Delivery, 'id' | 'owner_id'>[]
  hosts: readonly string[]
  isAll: boolean
}

const mostCounted = 2_000

/** Finds the deliveries of a filter, up to 2,000. Sends nothing. */
export async function findDeliveries(filter: DeliveryFilter, signal: AbortSignal): Promise<Found> {
  const found: Delivery[] = []
  let cursor: string | undefined
  do {
    const query = { ...queryOf(filter), limit: 100, ...(cursor !== undefined && { cursor }) }
    const page = await unwrap(api.GET('/v1/deliveries', { params: { query }, signal }))
    found.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== undefined && found.length < mostCounted)
  const hosts = [...new Set(found.map(({ url }) => new URL(url).host))]
  return {
    deliveries: found.map(({ id, owner_id }) => ({ id, ...(owner_id && { owner_id }) })),
    hosts,
    isAll: cursor === undefined,
  }
}
