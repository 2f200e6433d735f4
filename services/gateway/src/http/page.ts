import { fail } from '@platen/shared/runtime/errors.ts'

export interface Page<Item> {
  items: Item[]
  hasMore: boolean
}

/** Opaque to clients: where a page ended. */
export function cursorAfter(id: string): string {
  return Buffer.from(id).toString('base64url')
}

/** Throws DomainError VALIDATION_ERROR for one that we did not give. */
export function idBefore(cursor: string | undefined, prefix: 'tpl' | 'pdf'): string | undefined {
  if (cursor === undefined) return undefined
  const id = Buffer.from(cursor, 'base64url').toString()
  if (/^[a-z]{3}_[0-9a-z]{26}$/.test(id) && id.startsWith(`${prefix}_`) && cursorAfter(id) === cursor) return id
  const message = 'must be a next_cursor of this list, as it was given'
  return fail('VALIDATION_ERROR', `cursor ${message}`, [{ path: 'cursor', message }])
}
