import type { paths } from '../../../../clients/typescript/src/api-types.ts'
import { pathWithFilters } from '../../parts/filters/filters.tsx'
import { sinceTime, timeOf } from '../../parts/filters/time-filter.tsx'
import { queryValue } from '../../router/address.ts'

type Query = NonNullable<paths['/v1/events']['get']['parameters']['query']>

/** The names of the filters in the query of the address. `stream` shows one stream, to which the others do not apply. */
export const filterNames = ['category', 'type', 'request', 'since', 'until', 'after', 'stream'] as const

export const isFollowing = (): boolean => queryValue('follow') !== ''

/** The filters that new events have, too. */
export function followQuery(): { category?: string; type?: string; request_id?: string } {
  const [category, type, request] = [queryValue('category'), queryValue('type'), queryValue('request')]
  return {
    ...(category !== '' && { category }),
    ...(type !== '' && { type }),
    ...(request !== '' && { request_id: request }),
  }
}

/** The query of a page. The first one begins after the position of the address. */
export function listQuery(cursor: string | undefined): Query {
  const [after, before] = [sinceTime(queryValue('since')), timeOf(queryValue('until'))]
  const from = cursor ?? queryValue('after')
  return {
    ...followQuery(),
    ...(after !== undefined && { created_after: after }),
    ...(before !== undefined && { created_before: before }),
    ...(from !== '' && { cursor: from }),
  }
}

/** An event in the address: `generation-pdf_…/2`. */
export const eventName = ({ stream, revision }: { stream: string; revision: number }): string => `${stream}/${revision}`

/** The address of what is shown, with the event that is open beside it. */
export const pathWith = (event: { stream: string; revision: number }): string =>
  pathWithFilters('/events', [...filterNames, 'follow'], { event: eventName(event) })

/** The address of a stream alone, or of what a request has caused. */
export const pathOf = (filter: { stream: string } | { request: string }): string =>
  `/events?${new URLSearchParams(filter)}`
