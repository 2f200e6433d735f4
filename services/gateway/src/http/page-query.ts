import { Type } from 'typebox'
import type { Page } from './page.ts'
import { cursorAfter } from './page.ts'

export const defaultLimit = 50

export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: `Default ${defaultLimit}.` })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: '`next_cursor` of the page before.' })),
}

/** `next_cursor` only when there is more. */
export function pageBody<Item, Body>(
  { items, hasMore }: Page<Item>,
  idOf: (item: Item) => string,
  body: (item: Item) => Body,
) {
  const last = items.at(-1)
  return { data: items.map(body), ...(hasMore && last !== undefined && { next_cursor: cursorAfter(idOf(last)) }) }
}
