import type { Delivery } from '@platen/domain/delivery/delivery.ts'
import { deliveryBody } from '@platen/domain/delivery/delivery-record.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { DeliveryFilter } from '../views/delivery-search.ts'
import type { DeliveryView } from '../views/delivery-view.ts'
import type { Page } from '../views/view.ts'

/** A page of the deliveries of an owner, newest first. Those of all owners say to whom they belong. */
export async function listDeliveries(view: DeliveryView, filter: DeliveryFilter): Promise<Page<Delivery>> {
  const { ownerId, limit } = filter
  const { items, searchedTo } = await view.list({ ...filter, limit: limit + 1 })
  const found = items.slice(0, limit).flatMap((record) => {
    const { state } = record
    const body = deliveryBody(record)
    if (!body || state.status === 'absent') return []
    return ownerId === undefined ? { ...body, owner_id: state.delivery.owner_id } : body
  })
  if (items.length > limit) return { items: found, hasMore: true }
  return { items: found, hasMore: searchedTo !== undefined, ...defined({ searchedTo }) }
}
