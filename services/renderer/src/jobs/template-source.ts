import type { TemplateVersion } from '@platen/domain/generation/generation.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { templateDecider } from '@platen/domain/template/decide-template.ts'
import type { AssetPins, PartialPins, Translations } from '@platen/domain/template/template-content.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { load } from '@platen/event-store/handle-command.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'

export interface VersionSource {
  html: string
  /** The versions of the partials that it was saved with. */
  partials?: PartialPins
  /** The contents of the assets that it was saved with. */
  assets?: AssetPins
  translations?: Translations
  /** The script with the template's own helpers. */
  helpers?: string
}

/** Returns one version of a template. Throws DomainError TEMPLATE_NOT_FOUND. */
export type TemplateSource = (template: TemplateVersion) => Promise<VersionSource>

const maxCached = 500
const maxCachedChars = 32 * 2 ** 20
/** Its name and hash or id. */
const charsOfPin = 150

export function openTemplateSource(store: EventStore): TemplateSource {
  // A version never changes.
  const cache = new LruCache<VersionSource>({
    maxCount: maxCached,
    maxWeight: maxCachedChars,
    weightOf: (_key, { html, partials = {}, assets = {}, translations, helpers = '' }) =>
      html.length +
      helpers.length +
      (translations ? JSON.stringify(translations).length : 0) +
      charsOfPin * (Object.keys(partials).length + Object.keys(assets).length),
  })
  return async ({ id, version }) => {
    const key = `${id}@${version}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const source = await readVersion(store, id, version)
    cache.set(key, source)
    return source
  }
}

async function readVersion(store: EventStore, id: string, version: number): Promise<VersionSource> {
  const { state } = await load(store, templateDecider, templateStream(id), { version })
  if (state.status === 'active' && state.version === version) {
    const { html, partials, assets, translations, helpers } = state
    return {
      html,
      ...defined({ partials, assets, translations, helpers }),
    }
  }
  return fail('TEMPLATE_NOT_FOUND', `No template ${id} in version ${version}`)
}
