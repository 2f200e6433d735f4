import { signal } from '@preact/signals'
import { api, unwrap } from '../../api/client.ts'
import { whenSignedOut } from '../../api/session-state.ts'

const names = signal<ReadonlyMap<string, string>>(new Map())
const asked = new Set<string>()
whenSignedOut(() => {
  names.value = new Map()
  asked.clear()
})

/** The name of a template, once it is known. `owner` is that of the template, if it is not the one that is looked at. */
export function templateName(id: string, owner?: string): string | undefined {
  if (!asked.has(id)) {
    asked.add(id)
    queueMicrotask(() => void load(id, owner))
  }
  return names.value.get(id)
}

export function knowTemplateNames(templates: readonly { id: string; name: string }[]): void {
  for (const { id } of templates) asked.add(id)
  names.value = new Map([...names.value, ...templates.map(({ id, name }) => [id, name] as const)])
}

/** A template that was deleted has no name here: its id is shown. */
async function load(id: string, owner: string | undefined): Promise<void> {
  try {
    const params = { path: { idOrSlug: id }, query: owner === undefined ? {} : { owner } }
    knowTemplateNames([await unwrap(api.GET('/v1/templates/{idOrSlug}', { params }))])
  } catch {
    // The list is not about templates.
  }
}
