import type { paths } from '../../../../clients/typescript/src/api-types.ts'
import { isOfAllOwners } from '../../parts/all-owners.tsx'
import { sinceTime, timeOf } from '../../parts/filters/time-filter.tsx'
import { queryValue } from '../../router/address.ts'

type Query = NonNullable<paths['/v1/generations']['get']['parameters']['query']>

/** The names of the filters in the query of the address. */
export const filterNames = ['q', 'status', 'template', 'version', 'key', 'since', 'until', 'warnings', 'error'] as const
type FilterName = (typeof filterNames)[number]

export function filterOfAddress(): Record<FilterName, string> {
  return Object.fromEntries(filterNames.map((name) => [name, queryValue(name)])) as Record<FilterName, string>
}

/** The query of the API. A value that is malformed is sent, and refused with a message that names it. */
export function queryOf(filter: Record<FilterName, string>): Query {
  const { q, status, template, version, key, since, until, warnings, error } = filter
  const [after, before] = [sinceTime(since), timeOf(until)]
  return {
    ...(isOfAllOwners() && { owner: '*' }),
    ...(q !== '' && { q }),
    ...(status !== '' && { status }),
    ...(template !== '' && { template }),
    ...(template !== '' && Number(version) > 0 && { template_version: Number(version) }),
    ...(key !== '' && { api_key_id: key }),
    ...(after !== undefined && { created_after: after }),
    ...(before !== undefined && { created_before: before }),
    ...(warnings !== '' && { warnings: warnings === 'yes' }),
    ...(error !== '' && { error_code: error }),
  }
}
