import type { TemplateVersion } from '@platen/shared/contracts/generation.ts'
import { absentTemplate, evolveTemplate } from '@platen/shared/contracts/template-state.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { load } from '@platen/shared/event-store/handle-command.ts'
import { fail } from '@platen/shared/runtime/errors.ts'

/** Gives the html of one version of a template. Throws DomainError TEMPLATE_NOT_FOUND. */
export type TemplateSource = (template: TemplateVersion) => Promise<string>

/** A version never changes, so it is kept: the most recently used ones, up to this many. */
const maxKept = 500

export function openTemplateSource(store: EventStore): TemplateSource {
  const kept = new Map<string, string>()
  return async ({ id, version }) => {
    const key = `${id}@${version}`
    const html = kept.get(key) ?? (await readVersion(store, id, version))
    kept.delete(key)
    kept.set(key, html)
    const oldest = kept.keys().next()
    if (kept.size > maxKept && !oldest.done) kept.delete(oldest.value)
    return html
  }
}

async function readVersion(store: EventStore, id: string, version: number): Promise<string> {
  const fold = { initialState: absentTemplate, evolve: evolveTemplate }
  const { state } = await load(store, fold, `template-${id}`, { version })
  if (state.status === 'active' && state.version === version) return state.html
  return fail('TEMPLATE_NOT_FOUND', `No template ${id} in version ${version}`)
}
