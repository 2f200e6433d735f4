import {
  applyChanges,
  type PartialPins,
  type TemplateChanges,
  type TemplateContent,
} from '@platen/shared/contracts/template-content.ts'
import type { TemplateEngine } from '@platen/shared/handlebars/engine.ts'
import { partialNames } from '@platen/shared/handlebars/scan.ts'
import type { CallingSource, ResolvePartials } from './resolve-partials.ts'

/** The Handlebars sources of a template, and the names of the fields in error messages. */
const sourceFields = ['html', 'header_html', 'footer_html'] as const

/** A change of one of these pins the newest versions of the partials. */
export const pinnedFields = [...sourceFields, 'follow_partials'] as const

interface Pinning {
  /** Absent for a new template. */
  before?: TemplateContent
  changes: TemplateChanges
  ownerId: string
  /** Who shares the template workers with others. */
  caller: string
}

/**
 * Compiles the changed sources, and returns the versions of the partials that the template uses after the change; without
 * `partials` if it uses none. Throws the errors of the engine and of ResolvePartials.
 */
export async function pin(
  { engine, resolvePartials }: { engine: Pick<TemplateEngine, 'check'>; resolvePartials: ResolvePartials },
  { before, changes, ownerId, caller }: Pinning,
): Promise<{ partials?: PartialPins }> {
  const after: TemplateChanges = before ? applyChanges(before, changes) : changes
  const sources: CallingSource[] = []
  for (const name of sourceFields) {
    const html = after[name]
    if (typeof html !== 'string' || (!(name in changes) && partialNames(html).length === 0)) continue
    sources.push({ name, html, partials: await engine.check(html, { owner: caller, name }) })
  }
  const partials = await resolvePartials({ ownerId, caller, sources })
  return Object.keys(partials).length === 0 ? {} : { partials }
}
