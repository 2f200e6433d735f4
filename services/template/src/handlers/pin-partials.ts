import type { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { isAssetUrl } from '@platen/domain/asset/asset-name.ts'
import { assetsOfSteps } from '@platen/domain/document/described-steps.ts'
import { readPartial } from '@platen/domain/partial/read-partial.ts'
import {
  type AssetPins,
  applyChanges,
  type PartialPins,
  type TemplateChanges,
  type TemplateContent,
} from '@platen/domain/template/template-content.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import type { CallingSource } from '@platen/templating/handlebars/check-calls.ts'
import type { TemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { partialNames } from '@platen/templating/handlebars/scan.ts'
import { partialSource } from '@platen/templating/handlebars/template-problem.ts'
import { checkMarginSource } from '@platen/templating/html/margin-urls.ts'
import { type NamingSource, pinAssets } from './pin-assets.ts'
import type { ResolvePartials } from './resolve-partials.ts'

/** The fields of a template with HTML in Handlebars, and their names in error messages. */
const htmlFields = ['html', 'header_html', 'footer_html'] as const
/** The XML of an e-invoice is a Handlebars source, too. */
const invoiceField = 'options.output.e_invoice.xml'
const invoiceOf = ({ options }: Pick<TemplateChanges, 'options'>) => options?.output?.e_invoice?.xml

/** Whether a change pins the newest versions of the partials, and the newest contents of the assets. */
export function changesPins(before: TemplateContent, changes: TemplateChanges): boolean {
  if ([...htmlFields, 'follow_partials'].some((field) => field in changes)) return true
  if ('options' in changes && invoiceOf(before) !== invoiceOf(changes)) return true
  const namesOf = (options: TemplateContent['options'] | null) =>
    assetsOfSteps(options?.output ?? {}).map(({ name }) => name)
  return 'options' in changes && `${namesOf(before.options)}` !== `${namesOf(changes.options)}`
}

interface Pinning {
  /** Absent for a new template. */
  before?: TemplateContent
  changes: TemplateChanges
  ownerId: string
  /** Who shares the template workers with others. */
  caller: Claim
}

export interface PinDependencies {
  store: Pick<EventStore, 'readStream'>
  engine: Pick<TemplateEngine, 'check'>
  resolvePartials: ResolvePartials
  libraries: AssetLibraries
}

/**
 * Compiles the changed sources, and returns the versions of the partials and the contents of the assets that the template
 * uses after the change; without `partials` or `assets` if it uses none. Throws the errors of the engine, of ResolvePartials,
 * of pinAssets and of checkMarginSource.
 */
export async function pin(
  { store, engine, resolvePartials, libraries }: PinDependencies,
  { before, changes, ownerId, caller }: Pinning,
): Promise<{ partials?: PartialPins; assets?: AssetPins }> {
  const after: TemplateChanges = before ? applyChanges(before, changes) : changes
  const sources = await checkSources(engine, { after, changes, caller })
  const partials = await resolvePartials({ ownerId, caller, sources })
  const naming = [...namingSources(after), ...(await sourcesOf(store, partials))]
  const assets = await pinAssets(libraries, ownerId, naming, after.options?.output)
  return {
    ...(Object.keys(partials).length > 0 && { partials }),
    ...(Object.keys(assets).length > 0 && { assets }),
  }
}

interface Checking {
  after: TemplateChanges
  changes: TemplateChanges
  caller: Claim
}

/**
 * Compiles the sources that have changed or call partials; all of them if the template's own helpers have changed, as a
 * called helper may be gone. Throws the errors of the engine and of checkMarginSource.
 */
export async function checkSources(
  engine: PinDependencies['engine'],
  { after, changes, caller }: Checking,
): Promise<CallingSource[]> {
  const helpers = after.helpers ?? undefined
  const sources: CallingSource[] = []
  const add = async (name: string, source: string | null | undefined, isSaved: boolean) => {
    const isChanged = isSaved || 'helpers' in changes
    if (typeof source !== 'string' || (!isChanged && partialNames(source).length === 0)) return
    sources.push({ name, html: source, partials: await engine.check(source, { caller, name, helpers }) })
  }
  for (const name of htmlFields) {
    const html = after[name]
    await add(name, html, name in changes)
    if (name !== 'html' && name in changes && typeof html === 'string') checkMarginSource(html, name, isAssetUrl)
  }
  await add(invoiceField, invoiceOf(after), 'options' in changes)
  return sources
}

function namingSources(template: TemplateChanges): NamingSource[] {
  return htmlFields.flatMap((name) => {
    const html = template[name]
    return typeof html === 'string' ? [{ name, html }] : []
  })
}

/** The sources of the pinned versions. */
async function sourcesOf(store: PinDependencies['store'], partials: PartialPins): Promise<NamingSource[]> {
  const sources = Object.entries(partials).map(async ([name, { id, version }]) => {
    return { name: partialSource(name), html: (await readPartial(store, id, version))?.html ?? '' }
  })
  return Promise.all(sources)
}
