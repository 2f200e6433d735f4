import { isAssetName } from '@platen/domain/asset/asset-name.ts'
import { statedRules } from '@platen/foundation/json/json.ts'
import { firstIdAt } from '@platen/foundation/runtime/ids.ts'
import { Type } from 'typebox'
import type { Page } from '../views/view.ts'
import { invalidField } from './errors/field-problems.ts'

export const defaultLimit = 50

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: `Items per page. Default ${defaultLimit}.` }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: '`next_cursor` of the previous page.' })),
}

/**
 * `next_cursor` is absent on the last page. A page without items may have one, because one request searches a limited
 * number.
 */
export function pageBody<Item, Body>(
  { items, hasMore, searchedTo }: Page<Item>,
  idOf: (item: Item) => string,
  body: (item: Item) => Body,
) {
  const last = items.at(-1)
  const end = searchedTo ?? (last !== undefined ? idOf(last) : undefined)
  return { data: items.map(body), ...(hasMore && end !== undefined && { next_cursor: cursorAfter(end) }) }
}

/** A page of versions of one resource. */
export function versionsBody<Version extends { version: number }>(page: Page<Version>) {
  return pageBody(
    page,
    ({ version }) => String(version),
    (version) => version,
  )
}

const month = '(0[1-9]|1[0-2])'
const day = '(0[1-9]|[12][0-9]|3[01])'
const clock = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])'
const time = {
  [statedRules]: { pattern: `^[0-9]{4}-${month}-${day}(T${clock})?$` },
  examples: ['2026-01-31', '2026-01-31T08:00:00Z'],
}
/** A time of a request, for `timeField`. */
export const Time = (description: string) => Type.String({ maxLength: 40, description, ...time })

/** Query parameters of a list that filter by time of creation. */
export const createdQuery = {
  created_after: Type.Optional(
    Time('Only items created at this time or later. An RFC 3339 time, or a date, which begins at 00:00 UTC.'),
  ),
  created_before: Type.Optional(Time('Only items created earlier than this time.')),
}

/** The range of ids, from `from` up to but not including `before`, of a page of a list that is filtered by time. */
export function idRange(
  query: { cursor?: string; created_after?: string; created_before?: string },
  prefix: 'pdf',
): { from: string | undefined; before: string | undefined } {
  const ends = [idBefore(query.cursor, prefix), idAt('created_before', query.created_before, prefix)]
  return {
    from: idAt('created_after', query.created_after, prefix),
    before: ends.filter((end) => end !== undefined).sort()[0],
  }
}

/** Ids begin with the time of creation, and sort by it. */
function idAt(name: string, text: string | undefined, prefix: 'pdf'): string | undefined {
  return text === undefined ? undefined : firstIdAt(prefix, timeField(name, text))
}

/** The time of a field in ms since the epoch: an RFC 3339 time, or a date, which begins at 00:00 UTC. */
export function timeField(name: string, text: string): number {
  const timeMs = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/i.test(text) ? Date.parse(text) : NaN
  if (!Number.isNaN(timeMs) && isDay(text.slice(0, 10))) return timeMs
  const hint = /:\d\d(\.\d+)? \d\d:?\d\d$/.test(text) ? '; in a URL, + is written %2B' : ''
  return invalidField(name, `must be a date or an RFC 3339 time, such as 2026-01-31T08:00:00Z${hint}`)
}

/** Refuses 2026-02-30, which `Date` takes for the second of March. */
const isDay = (date: string) => new Date(date).toISOString().startsWith(date)

/** Cursors are opaque to clients. They hold the id of the last item of a page. */
function cursorAfter(id: string): string {
  return Buffer.from(id).toString('base64url')
}

/** Throws VALIDATION_ERROR for a cursor that is not one of this list. */
export function idBefore(
  cursor: string | undefined,
  prefix: 'tpl' | 'prt' | 'pdf' | 'key' | 'own' | 'bat',
): string | undefined {
  if (cursor === undefined) return undefined
  const id = Buffer.from(cursor, 'base64url').toString()
  if (/^[a-z]{3}_([0-9a-z]{26}|default)$/.test(id) && id.startsWith(`${prefix}_`) && cursorAfter(id) === cursor)
    return id
  return invalidField('cursor', 'must be the next_cursor of an earlier page of this list')
}

/** The name after which a list sorted by name continues. Throws VALIDATION_ERROR for a cursor of another list. */
export function nameAfter(cursor: string | undefined, isName = isAssetName): string | undefined {
  if (cursor === undefined) return undefined
  const name = Buffer.from(cursor, 'base64url').toString()
  if (isName(name) && cursorAfter(name) === cursor) return name
  return invalidField('cursor', 'must be the next_cursor of an earlier page of this list')
}

/** The place (`<time>.<id>`) before which a list of deliveries continues. Throws VALIDATION_ERROR. */
export function placeBefore(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined
  const place = Buffer.from(cursor, 'base64url').toString()
  if (/^\d{4}-\d\d-\d\dT[\d:.]{12}Z\.msg_[0-9a-z]{26}$/.test(place) && cursorAfter(place) === cursor) return place
  return invalidField('cursor', 'must be the next_cursor of an earlier page of this list')
}

/** The version before which a list, newest first, continues. Throws VALIDATION_ERROR. */
export function versionBefore(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  const version = Buffer.from(cursor, 'base64url').toString()
  if (/^[1-9]\d{0,8}$/.test(version) && cursorAfter(version) === cursor) return Number(version)
  return invalidField('cursor', 'must be the next_cursor of an earlier page of this list')
}

/** The place after which a list in order continues. Throws VALIDATION_ERROR. */
export const placeAfter = versionBefore
