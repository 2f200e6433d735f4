import type { StoredEvent } from '@platen/event-store/event-store.ts'

/** A view of the streams of one category. */
export interface View {
  apply(event: StoredEvent): void
  /** Called when an operator has deleted the stream of an aggregate for good. */
  remove(id: string): void
}

/** A part of a list, and whether there is more of it. */
export interface Page<Item> {
  items: Item[]
  hasMore: boolean
  /** The id up to which was searched, if that is further than the last item. */
  searchedTo?: string
}
