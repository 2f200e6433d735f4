import { batch, type ReadonlySignal, signal } from '@preact/signals'

export interface Page<Item> {
  data: Item[]
  next_cursor?: string
}

/** Loads one page. `cursor` is absent for the first. */
export type LoadPage<Item> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>

/**
 * A list of the API that grows by a page at a time. `loading`: a page is on its way; `more`: there is another one; `complete`: there
 * is none; `failed`: the last page did not arrive.
 */
export interface PagedList<Item> {
  /** Another one for each list. */
  id: number
  items: ReadonlySignal<readonly Item[]>
  state: ReadonlySignal<'loading' | 'more' | 'complete' | 'failed'>
  error: ReadonlySignal<unknown>
  loadMore(): Promise<void>
  /** Loads the first page again, and shows what is there until it arrives. */
  reload(): Promise<void>
  /** Changes what is shown, after a change of which the result is known. */
  update(change: (items: readonly Item[]) => readonly Item[]): void
  stop(): void
}

let lastId = 0

/** `idOf` finds an item that two pages have, because the list has changed in between. */
export function pagedList<Item>(load: LoadPage<Item>, idOf: (item: Item) => string): PagedList<Item> {
  const items = signal<readonly Item[]>([])
  const state = signal<'loading' | 'more' | 'complete' | 'failed'>('more')
  const error = signal<unknown>(undefined)
  let cursor: string | undefined
  /** The ids of `items`. To gather those of a long list for each page would take longer than a frame. */
  let known = new Set<string>()
  const show = (shown: readonly Item[]) => {
    items.value = shown
    known = new Set(shown.map(idOf))
  }
  const add = (added: readonly Item[]) => {
    const fresh = added.filter((item) => !known.has(idOf(item)))
    for (const item of fresh) known.add(idOf(item))
    items.value = items.value.concat(fresh)
  }
  let running = new AbortController()

  async function read(isFirst: boolean): Promise<void> {
    running.abort()
    running = new AbortController()
    const { signal: aborted } = running
    batch(() => {
      state.value = 'loading'
      error.value = undefined
    })
    try {
      const page = await load(isFirst ? undefined : cursor, aborted)
      if (aborted.aborted) return
      batch(() => {
        if (isFirst) show(page.data)
        else add(page.data)
        cursor = page.next_cursor
        state.value = cursor === undefined ? 'complete' : 'more'
      })
    } catch (err) {
      if (aborted.aborted) return
      batch(() => {
        error.value = err
        state.value = 'failed'
      })
    }
  }

  return {
    id: ++lastId,
    items,
    state,
    error,
    loadMore: async () => {
      const isIdle = state.value === 'more' || state.value === 'failed'
      if (isIdle) await read(items.value.length === 0)
    },
    reload: () => read(true),
    update: (change) => show(change(items.value)),
    stop: () => running.abort(),
  }
}
