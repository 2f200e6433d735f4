import { defined } from '@platen/foundation/json/defined.ts'
import { parseExact, withRawIntegers } from '@platen/foundation/json/exact-json.ts'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { translateAssets } from './asset-tags.ts'
import { calledTemplates, translateChildren } from './child-templates.ts'
import { chromeOptions, marginSources } from './chrome-options.ts'
import { isFile, isSharedScript, leaveOthers } from './leave-others.ts'
import { NewNames } from './new-names.ts'
import { type HelperScript, ownHelpers } from './own-helpers.ts'
import { mergedMargins, pdfUtilsOptions, templatesOfMargins } from './pdf-utils.ts'
import type { Plan, PlannedPartial, PlannedTemplate } from './plan.ts'
import { type Entity, type JsreportExport, nameOf, objectOf, textOf } from './read-export.ts'
import type { Remarks } from './report.ts'
import { bytesOf, type References, type Source } from './source.ts'

/** What has no counterpart, wherever it stands. */
const unknown: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/\$pdf\b/, '$pdf of pdf-utils is not known; data-platen-pages and {{pageNumberOf}} may do the same'],
  [/\{\{\{?#?\s*pdf(?:CreatePagesGroup|AddPageItem|FormField|Dest)\b/, 'helpers of pdf-utils are not known'],
  [/\{\{\{?\s*localize\b/, '{{localize}} is not known; write {{t}}, with translations in the template'],
  [/\{\{\{?\s*module\b/, '{{module}} is not known; store the script as an asset'],
  [/(?<!\{)\{#(?!asset |child )[a-z]\w*/, 'of the tags {#…}, only {#asset} and {#child} are known'],
  [/\bchildTemplateSerializeData\b/, 'data of {#child} from childTemplateSerializeData are not taken'],
  [/\bJSREPORT_CHROME_PDF_OPTIONS\b/, 'options of Chrome that a script sets are not taken'],
]

/** A source of jsreport as one of Platen. What cannot be translated stays as it is, with a remark. */
function translateSource(source: Source, references: References): string {
  const { engine, entity } = source
  const escaped = engine === 'none' ? source.text.replaceAll('{{', '\\{{') : source.text
  let text = translateAssets(escaped, source, references)
  if (engine !== 'css') text = translateChildren(text, source, references)
  if (engine === 'handlebars') text = text.replace(/\{\{\{?\s*toJS\s+([^\s{}]+)\s*\}?\}\}/g, '{{{json $1}}}')
  for (const [pattern, reason] of unknown) if (pattern.test(text)) references.remarks.left(entity, reason)
  return text
}

const printed = ['chrome-pdf', 'html']

/** What an import of the export sends. `into`: the folder of assets; empty for none. */
export function planImport(exported: JsreportExport, into: string, remarks: Remarks): Plan {
  return new Planner(exported, into, remarks).plan()
}

class Planner {
  readonly #exported: JsreportExport
  readonly #remarks: Remarks
  readonly #names: NewNames
  readonly #references: References
  readonly #assets = new Map<Entity, string | undefined>()
  /** Those that a source calls; without HTML while they are translated. */
  readonly #partials = new Map<Entity, { name: string; planned?: PlannedPartial }>()
  readonly #usedData = new Set<Entity>()
  /** Templates that are printed by others only. */
  readonly #parts: ReadonlySet<Entity>

  constructor(exported: JsreportExport, into: string, remarks: Remarks) {
    this.#exported = exported
    this.#remarks = remarks
    this.#names = new NewNames(into)
    const called = [...calledTemplates(exported)].filter(({ fields }) => fields.recipe !== 'chrome-pdf')
    this.#parts = new Set([...called, ...templatesOfMargins(exported)])
    this.#references = {
      exported,
      remarks,
      assetPrefix: into === '' ? 'asset:' : `asset:${into}/`,
      assetUrl: (asset) => this.#assetUrl(asset),
      partialOf: (entity) => this.#partialOf(entity),
    }
  }

  plan(): Plan {
    const files = this.#exported.of('assets').filter((asset) => isFile(asset))
    const templates = this.#exported.of('templates').flatMap((entity) => this.#template(entity))
    const assets = files.flatMap((entity) => {
      const url = this.#assetUrl(entity)
      return url === undefined ? [] : [{ entity, name: url.slice('asset:'.length), bytes: this.#assetBytes(entity) }]
    })
    leaveOthers(this.#exported, new Set([...this.#usedData, ...this.#partials.keys()]), this.#remarks)
    return { assets, partials: [...this.#partials.values()].flatMap(({ planned }) => planned ?? []), templates }
  }

  #template(entity: Entity): PlannedTemplate[] {
    const { fields } = entity
    const named = nameOf(entity)
    const [recipe, engine] = [textOf(fields.recipe), textOf(fields.engine)]
    // A part of the templates that call it.
    if (this.#parts.has(entity)) return []
    if (!printed.includes(recipe)) return this.#leave(named, `the recipe ${recipe}; Platen prints HTML to PDF`)
    if (!isEngine(engine)) return this.#leave(named, `the engine ${engine}; templates of Platen are in Handlebars`)
    for (const script of listOf(fields.scripts)) {
      const found = this.#exported.byShortid('scripts', script.shortid)
      this.#remarks.left(
        named,
        `the script ${found ? nameOf(found) : textOf(script.shortid)}, which changes its request`,
      )
    }
    const translate = (text: string, from = entity) =>
      text === '' ? '' : translateSource(sourceOf(from, text, named), this.#references)
    const html = translate(textOf(fields.content))
    const chrome = objectOf(fields.chrome)
    const shown = marginSources(chrome)
    const merged = mergedMargins(entity, this.#exported, this.#remarks)
    const header = merged?.header ? translate(merged.header, merged.from) : translate(shown.header)
    const footer = merged?.footer ? translate(merged.footer, merged.from) : translate(shown.footer)
    const helpers = ownHelpers(this.#scripts(entity), [html, header, footer], this.#remarks)
    const language = textOf(objectOf(fields.localization).language)
    const options = {
      ...chromeOptions(chrome, named, this.#remarks),
      ...pdfUtilsOptions(entity, named, this.#remarks),
      ...(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language) && { locale: language }),
    }
    const content = {
      name: entity.name,
      html,
      options,
      sample_data: this.#data(entity),
      ...(header !== '' && { header_html: header }),
      ...(footer !== '' && { footer_html: footer }),
      ...defined({ helpers }),
    }
    return [{ entity, slug: this.#names.slug(pathOf(entity), entity.shortid), content }]
  }

  #leave(entity: string, reason: string): [] {
    this.#remarks.left(entity, reason)
    return []
  }

  #data({ fields }: Entity): JsonObject {
    const { shortid } = objectOf(fields.data)
    const found = shortid === undefined ? undefined : this.#exported.byShortid('data', shortid)
    if (!found) return {}
    this.#usedData.add(found)
    try {
      const value = withRawIntegers(parseExact(textOf(found.fields.dataJson)))
      if (isJsonObject(value)) return value
      this.#remarks.left(nameOf(found), 'sample data must be a JSON object')
    } catch (err) {
      this.#remarks.left(nameOf(found), `it is not JSON: ${(err as Error).message}`)
    }
    return {}
  }

  /** The shared scripts that the template has, and its own one. */
  #scripts(entity: Entity): HelperScript[] {
    const shared = this.#exported.of('assets').filter(({ folder, fields }) => {
      if (!isSharedScript(fields)) return false
      if (fields.sharedHelpersScope !== 'folder') return true
      return folder === '' || entity.folder === folder || entity.folder.startsWith(`${folder}/`)
    })
    const scripts = shared.map((asset) => ({ source: bytesOf(asset).toString(), entity: nameOf(asset) }))
    return [...scripts, { source: textOf(entity.fields.helpers), entity: nameOf(entity) }]
  }

  #assetUrl(asset: Entity): string | undefined {
    if (!isFile(asset)) return undefined
    if (!this.#assets.has(asset)) this.#assets.set(asset, this.#names.asset(pathOf(asset), asset.shortid))
    const name = this.#assets.get(asset)
    return name === undefined ? undefined : `asset:${name}`
  }

  #assetBytes(asset: Entity): Buffer {
    const bytes = bytesOf(asset)
    if (!/\.css$/i.test(asset.name) || !bytes.includes('{#asset')) return bytes
    const source = { text: bytes.toString(), engine: 'css', folder: asset.folder, entity: nameOf(asset) } as const
    return Buffer.from(translateSource(source, this.#references))
  }

  #partialOf(entity: Entity): string {
    const known = this.#partials.get(entity)
    if (known) return known.name
    const name = this.#names.partial(pathOf(entity), `${entity.set}:${entity.shortid}`)
    const entry: { name: string; planned?: PlannedPartial } = { name }
    this.#partials.set(entity, entry)
    const isAsset = entity.set === 'assets'
    const text = isAsset ? bytesOf(entity).toString() : textOf(entity.fields.content)
    if (!isAsset && !isEngine(textOf(entity.fields.engine))) {
      this.#remarks.left(
        nameOf(entity),
        `the engine ${textOf(entity.fields.engine)}; partials of Platen are in Handlebars`,
      )
    }
    const html = translateSource(sourceOf(entity, text, nameOf(entity)), this.#references)
    if (ownHelpers(this.#ownScript(entity), [html], this.#remarks) !== undefined) {
      this.#remarks.left(nameOf(entity), 'its helpers: partials have none; give it the results as arguments')
    }
    // Those that it calls were added while it was translated, and come before it.
    this.#partials.delete(entity)
    this.#partials.set(entity, { name, planned: { entity, name, html } })
    return name
  }

  #ownScript(entity: Entity): HelperScript[] {
    return entity.set === 'assets' ? [] : [{ source: textOf(entity.fields.helpers), entity: nameOf(entity) }]
  }
}

const isEngine = (engine: string): engine is 'handlebars' | 'none' => engine === 'handlebars' || engine === 'none'
const pathOf = ({ folder, name }: Entity) => (folder === '' ? name : `${folder}/${name}`)
const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.map(objectOf) : [])

function sourceOf({ set, folder, fields }: Entity, text: string, entity: string): Source {
  const engine = set === 'assets' || textOf(fields.engine) === 'handlebars' ? 'handlebars' : 'none'
  return { text, engine, folder, entity }
}
