import type { StoredEvent } from '@platen/event-store/event-store.ts'
import type { StreamReader } from '@platen/event-store/read-in-time.ts'
import type { Page } from './view.ts'

export interface VersionRange {
  /** The page begins with the version before this one. Undefined: with the newest. */
  before: number | undefined
  limit: number
}

/**
 * The versions of an aggregate, newest first: version N is the event of revision N - 1. Only one event is in memory at a time.
 * Throws DependencyUnavailable.
 */
export async function versionPage<Version>(
  store: StreamReader,
  stream: string,
  { before, limit, versionOf }: VersionRange & { versionOf: (event: StoredEvent) => Version },
): Promise<Page<Version>> {
  const items: Version[] = []
  if (before === 1) return { items, hasMore: false }
  const from = before === undefined ? 'end' : before - 2
  for await (const event of store.readStream(stream, { from, backwards: true, limit: limit + 1 })) {
    if (items.length === limit) return { items, hasMore: true }
    items.push(versionOf(event))
  }
  return { items, hasMore: false }
}
