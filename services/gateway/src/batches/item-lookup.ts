import type { LabelState } from '@platen/domain/template/label-state.ts'
import type { PartialPins } from '@platen/domain/template/template-content.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'
import type { TemplateLookup } from '../generations/resolve-input.ts'
import type { NewestPins } from '../partials/newest-pins.ts'
import type { CurrentLabels } from '../templates/current-labels.ts'
import type { CurrentTemplates } from '../templates/current-templates.ts'
import type { VersionReader } from '../templates/version-reader.ts'

export interface ItemLookupOptions {
  templates: CurrentTemplates
  readVersion: VersionReader
  newestPins: NewestPins
  labels: CurrentLabels
}

/**
 * Looks up what the items of a batch name, each once: all items that name a template are printed with one version of it, and a
 * hundred thousand lines do not read the event store as often.
 */
export function itemLookup(
  { templates, readVersion, newestPins, labels }: ItemLookupOptions,
  ownerId: string,
  checkData: TemplateLookup['checkData'],
): TemplateLookup {
  const find = once((idOrSlug: string) => templates.find(idOrSlug, ownerId))
  const pins = once((key: string): Promise<PartialPins> => {
    const [sources, names] = JSON.parse(key) as [string[], string[]]
    return newestPins(ownerId, sources, names)
  })
  const labelsOf = once(async (id: string): Promise<LabelState> => (await labels.of(id)).labels)
  return {
    find,
    notFound: (idOrSlug) => templates.notFound(idOrSlug, ownerId),
    readVersion,
    newestPins: (sources, names = []) => pins(JSON.stringify([sources, names])),
    labelsOf,
    checkData,
  }
}

const bounds = { maxCount: 1_000, maxWeight: 8 * 2 ** 20 }

function once<Value>(read: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const known = new LruCache<Promise<Value>>({ ...bounds, weightOf: (key) => key.length })
  return (key) => {
    const value = known.get(key) ?? read(key)
    known.set(key, value)
    return value
  }
}
