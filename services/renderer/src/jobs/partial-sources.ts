import { fail } from '@platen/domain/http/errors.ts'
import { readPartial } from '@platen/domain/partial/read-partial.ts'
import type { PartialPin, PartialPins } from '@platen/domain/template/template-content.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'

/** Returns the sources of the partials at their versions, by name. Throws DomainError PARTIAL_NOT_FOUND. */
export type PartialSources = (pins: PartialPins) => Promise<Record<string, string>>

const maxCached = 500
const maxCachedChars = 32 * 2 ** 20

export function openPartialSources(store: EventStore): PartialSources {
  // A version never changes.
  const cache = new LruCache<string>({
    maxCount: maxCached,
    maxWeight: maxCachedChars,
    weightOf: (_key, html) => html.length,
  })
  const read = async ({ id, version }: PartialPin): Promise<string> => {
    const key = `${id}@${version}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const partial = await readPartial(store, id, version)
    if (!partial) return fail('PARTIAL_NOT_FOUND', `No partial ${id} in version ${version}`)
    cache.set(key, partial.html)
    return partial.html
  }
  return async (pins) => {
    const sources = Object.entries(pins).map(async ([name, pin]) => [name, await read(pin)] as const)
    return Object.fromEntries(await Promise.all(sources))
  }
}
