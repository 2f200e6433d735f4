import type { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { namedAssets } from '@platen/domain/asset/asset-names.ts'
import { assetsOfSteps } from '@platen/domain/document/described-steps.ts'
import type { OutputOptions } from '@platen/domain/document/output-options.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { AssetPins } from '@platen/domain/template/template-content.ts'
import { TemplateProblem } from '@platen/templating/handlebars/template-problem.ts'

/** A Handlebars source of a template or of a partial that it uses. */
export interface NamingSource {
  /** The name used in messages, such as `html`. */
  name: string
  html: string
}

/**
 * The contents of the assets that the sources and the steps after the print name, and of those that style sheets name. Empty if there
 * are none.
 * Throws TEMPLATE_RENDER_ERROR where a URL names an asset that does not exist, and the errors of the event store.
 */
export async function pinAssets(
  libraries: AssetLibraries,
  ownerId: string,
  sources: readonly NamingSource[],
  output: OutputOptions = {},
): Promise<AssetPins> {
  const named = sources.map((source) => ({ source, assets: namedAssets(source.html) }))
  const ofSteps = assetsOfSteps(output)
  if (ofSteps.length === 0 && named.every(({ assets }) => assets.length === 0)) return {}
  const library = await libraries.of(ownerId)
  const pins = new Map<string, string>()
  const add = (name: string): boolean => {
    const content = library.find(name)
    if (!content) return false
    if (pins.has(name)) return true
    pins.set(name, content.sha256)
    content.references.forEach(add)
    return true
  }
  for (const { source, assets } of named) {
    for (const { name, at, isUrl } of assets) if (!add(name) && isUrl) throw noSuchAsset(name, at, source)
  }
  for (const { field, name } of ofSteps) {
    if (!add(name)) fail('ASSET_NOT_FOUND', `options.output.${field}: ${noAsset(name)}`)
  }
  return Object.fromEntries([...pins].sort())
}

function noSuchAsset(name: string, at: number, { name: field, html }: NamingSource) {
  const before = html.slice(0, at).split('\n')
  const position = { line: before.length, column: before.at(-1)?.length ?? 0 }
  return new TemplateProblem('TEMPLATE_RENDER_ERROR', noAsset(name), position).inSource(html, field)
}

const noAsset = (name: string) => `there is no asset "${name}"; upload it with PUT /v1/assets/${name}`
