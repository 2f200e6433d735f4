import { Type } from 'typebox'
import { invalidField } from './errors/invalid-field.ts'

export const defaultLimit = 50

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: `Items per page. Default ${defaultLimit}.` }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: '`next_cursor` of the previous page.' })),
}

export interface Page<Item> {
  items: Item[]
  hasMore: boolean
}

/** `next_cursor` is absent on the last page. */
export function pageBody<Item, Body>(
  { items, hasMore }: Page<Item>,
  idOf: (item: Item) => string,
  body: (item: Item) => Body,
) {
  const last = items.at(-1)
  return { data: items.map(body), ...(hasMore && last !== undefined && { next_cursor: cursorAfter(idOf(last)) }) }
}

/** Cursors are opaque to clients. They hold the id of the last item of a page. */
function cursorAfter(id: string): string {
  return Buffer.from(id).toString('base64url')
}

/** Throws VALIDATION_ERROR for a cursor that is not one of this list. */
export function idBefore(cursor: string | undefined, prefix: 'tpl' | 'pdf'): string | undefined {
  if (cursor === undefined) return undefined
  const id = Buffer.from(cursor, 'base64url').toString()
  if (/^[a-z]{3}_[0-9a-z]{26}$/.test(id) && id.startsWith(`${prefix}_`) && cursorAfter(id) === cursor) return id
  return invalidField('cursor', 'must be the next_cursor of an earlier page of this list')
}
