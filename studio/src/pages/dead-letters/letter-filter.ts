import type { paths } from '../../../../clients/typescript/src/api-types.ts'
import type { Schemas } from '../../api/client.ts'
import { sinceTime, timeOf } from '../../parts/filters/time-filter.tsx'
import { formatTime } from '../../parts/format.ts'
import { actingOwner } from '../../router/acting-owner.ts'
import { queryValue } from '../../router/address.ts'

type Query = NonNullable<paths['/v1/dead-letters']['get']['parameters']['query']>
export type LetterFilter = Schemas['DeadLetterFilter']

/** The names of the filters in the query of the address. */
export const filterNames = ['reason', 'subject', 'since', 'until'] as const

/** What the address selects, as the API takes it to retry and drop. An owner that is looked at is a part of it. */
export function filterOfAddress(): LetterFilter {
  const [reason, subject] = [queryValue('reason'), queryValue('subject')]
  const [after, before] = [sinceTime(queryValue('since')), timeOf(queryValue('until'))]
  return {
    ...(reason !== '' && { reason }),
    ...(subject !== '' && { subject }),
    ...(after !== undefined && { created_after: after }),
    ...(before !== undefined && { created_before: before }),
    ...(actingOwner.value !== undefined && { owner_id: actingOwner.value }),
  }
}

/** The same for a list. */
export function queryOf({ owner_id, ...filter }: LetterFilter): Query {
  return { ...filter, ...(owner_id !== undefined && { owner: owner_id }) }
}

/** What follows `14 dead letters`. Empty for all of them. */
export function wordsOf({ reason, subject, owner_id, created_after, created_before }: LetterFilter): string {
  const words = [
    subject !== undefined && `whose subject begins with “${subject}”`,
    reason !== undefined && `whose reason contains “${reason}”`,
    owner_id !== undefined && `of the owner ${owner_id}`,
    created_after !== undefined && `given up since ${formatTime(created_after)}`,
    created_before !== undefined && `given up until ${formatTime(created_before)}`,
  ]
  return words.filter((word) => word !== false).join(', ')
}
