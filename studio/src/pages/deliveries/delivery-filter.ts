import type { paths } from '../../../../clients/typescript/src/api-types.ts'
import { isOfAllOwners } from '../../parts/all-owners.tsx'
import { pathWithFilters } from '../../parts/filters/filters.tsx'
import { sinceTime, timeOf } from '../../parts/filters/time-filter.tsx'
import { queryValue } from '../../router/address.ts'

type Query = NonNullable<paths['/v1/deliveries']['get']['parameters']['query']>

/** The names of the filters in the query of the address. */
export const filterNames = ['status', 'endpoint', 'since', 'until'] as const
type FilterName = (typeof filterNames)[number]
export type DeliveryFilter = Record<FilterName, string>

export function filterOfAddress(): DeliveryFilter {
  return Object.fromEntries(filterNames.map((name) => [name, queryValue(name)])) as DeliveryFilter
}

export function queryOf({ status, endpoint, since, until }: DeliveryFilter): Query {
  const [after, before] = [sinceTime(since), timeOf(until)]
  return {
    ...(isOfAllOwners() && { owner: '*' }),
    ...(status !== '' && { status }),
    ...(endpoint !== '' && { endpoint }),
    ...(after !== undefined && { created_after: after }),
    ...(before !== undefined && { created_before: before }),
  }
}

/** The address of the list, with the delivery that is open beside it; one of a list of all owners names its owner. */
export const pathWith = ({ id, owner_id }: { id: string; owner_id?: string }): string =>
  pathWithFilters('/deliveries', [...filterNames, 'all'], {
    delivery: id,
    ...(owner_id !== undefined && { of: owner_id }),
  })
