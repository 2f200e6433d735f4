import { createHash } from 'node:crypto'
import type { RenderInput } from '@platen/domain/generation/generation.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { AssetPins } from '@platen/domain/template/template-content.ts'
import type { Warning } from '@platen/foundation/errors/warning.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { pathOf } from '@platen/foundation/language.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import type { TemplateEngine } from '@platen/templating/handlebars/engine.ts'
import type { Filled } from '@platen/templating/handlebars/worker-protocol.ts'
import { failOn } from '../print/warnings.ts'
import type { PartialSources } from './partial-sources.ts'
import { withMarks } from './place-marks.ts'
import type { TemplateSource, VersionSource } from './template-source.ts'

/** HTML ready to print. */
export interface ComposedDocument {
  html: string
  /** Warnings of filling the template, such as MISSING_VALUE. */
  warnings: Warning[]
  headerHtml?: string
  footerHtml?: string
  /** The XML of `options.output.e_invoice`. */
  invoiceXml?: string
  /** Absent if the document sets no locale. */
  locale?: string
  timezone?: string
  /** SHA-256 of the script with the template's own helpers, in hex. */
  helpersSha256?: string | undefined
  /** The asset versions that the template is pinned to. */
  assetPins?: AssetPins
}

export interface ComposeOptions {
  engine: Pick<TemplateEngine, 'render'>
  templateSource: TemplateSource
  partialSources: PartialSources
  /** Who shares the template workers with others. */
  caller: Claim
  /** Whether the HTML gets a comment at each place that a warning is about. */
  locate?: boolean
}

/**
 * Fills a template, or inline HTML with data, with its header, its footer and the XML of its e-invoice. Inline HTML without data is printed
 * unchanged. Partials have the versions that the template was saved with, or those of the input. Throws DomainError
 * TEMPLATE_*, RENDER_LIMIT_EXCEEDED, and RENDER_FAILED if options.fail_on has MISSING_VALUE.
 */
export async function composeDocument(
  input: RenderInput,
  { engine, templateSource, partialSources, caller, locate = false }: ComposeOptions,
): Promise<ComposedDocument> {
  const { html, partials: pins, assets: assetPins, ...stored } = await bodyOf(input, templateSource)
  const { translations = stored.translations, helpers = stored.helpers } = input
  const invoice = input.options.output?.e_invoice
  const sources: Record<string, string> = {
    html,
    ...defined({ header_html: input.options.header_html, footer_html: input.options.footer_html }),
    ...(invoice && { [invoiceSource]: invoice.xml }),
  }
  const data = input.data_json ?? input.data ?? (input.template && {})
  const pinned = input.partials ?? pins
  const saved = pinned && (await partialSources(pinned))
  const partials = input.partial_sources ? { ...saved, ...input.partial_sources } : saved
  const { strict = false, fail_on, locale, timezone } = input.options
  const language = { ...defined({ locale, timezone }) }
  const job = data && {
    sources,
    partials,
    data,
    strict,
    caller,
    language,
    helpers,
    now: new Date(),
    ...defined({ translations }),
  }
  const filled: Filled = job ? await engine.render(job) : { texts: sources, warnings: [], ...withoutData(language) }
  const { texts, warnings, ...chosen } = filled
  // Checked before printing, as the print would be discarded.
  failOn(fail_on, warnings)
  const marked = locate && job ? await withMarks(job, filled, engine) : undefined
  return {
    html: marked ?? texts.html ?? '',
    ...defined({
      headerHtml: texts.header_html,
      footerHtml: texts.footer_html,
      invoiceXml: texts[invoiceSource],
      assetPins,
    }),
    ...(helpers !== undefined && data && { helpersSha256: createHash('sha256').update(helpers).digest('hex') }),
    ...chosen,
    warnings,
  }
}

const invoiceSource = 'options.output.e_invoice.xml'

/** HTML without data is not filled, and has nothing that a path could name. */
function withoutData(language: LanguageOptions): Pick<Filled, 'locale' | 'timezone'> {
  for (const [name, value] of Object.entries(language)) {
    if (pathOf(value) !== undefined) {
      fail('TEMPLATE_RENDER_ERROR', `options.${name} is ${value}, and the request has no data`)
    }
  }
  return language
}

interface LanguageOptions {
  locale?: string
  timezone?: string
}

async function bodyOf({ html, template, page }: RenderInput, templateSource: TemplateSource): Promise<VersionSource> {
  if (template) return templateSource(template)
  // The page is fetched when it is printed.
  if (page) return { html: '' }
  return { html: html ?? fail('VALIDATION_ERROR', 'Neither html nor template is given') }
}
