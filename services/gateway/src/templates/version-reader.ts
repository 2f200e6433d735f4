import type { Template } from '@platen/domain/template/template.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import type { CurrentTemplates } from './current-templates.ts'

/** A version without its source and sample data: what a request needs to be accepted. */
export type AcceptedVersion = Omit<Template, 'html' | 'sample_data' | 'samples' | 'translations' | 'helpers'>

/** Undefined if the template did not exist in that version, because it was deleted then. Throws DependencyUnavailable. */
export type VersionReader = (newest: Template, version: number) => Promise<AcceptedVersion | undefined>

const maxCached = 200
/** Headers, footers and schemas may be large. */
const maxCachedChars = 32 * 2 ** 20

/** Reads a version that is not the newest one from the event store, once: a version never changes. */
export function versionReader(templates: Pick<CurrentTemplates, 'at'>): VersionReader {
  const cache = new LruCache<AcceptedVersion>({
    maxCount: maxCached,
    maxWeight: maxCachedChars,
    weightOf: (_key, version) => stringifyExact(version).length,
  })
  return async (newest, version) => {
    if (version === newest.version) return newest
    const key = `${newest.id}@${version}`
    const cached = cache.get(key)
    if (cached) return cached
    const found = await templates.at(newest.id, version - 1)
    if (!found) return undefined
    const { html: _, sample_data: __, samples: ___, translations: ____, helpers: _____, ...accepted } = found
    cache.set(key, accepted)
    return accepted
  }
}
