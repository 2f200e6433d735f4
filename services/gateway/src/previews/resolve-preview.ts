import { type PdfOptions, resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { RenderInput } from '@platen/domain/generation/generation.ts'
import type { PreviewBody } from '@platen/domain/generation/preview.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { Template } from '@platen/domain/template/template.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { type DocumentRequest, resolveInput, type TemplateLookup, versionOf } from '../generations/resolve-input.ts'
import { invalidField, validationError } from '../http/errors/field-problems.ts'
import { optionProblems } from '../options/option-problems.ts'
import { overrideOptions } from '../options/override-options.ts'

/** A request whose data are `data_json` if they are large. */
type PreviewRequest = PreviewBody & Pick<DocumentRequest, 'data_json'>

export interface PreviewLookup extends TemplateLookup {
  /** A template at a revision; undefined if it was deleted then. */
  at(id: string, revision: number): Promise<Template | undefined>
}

/**
 * The input of the renderer, as if the unsaved source was saved and a request was made with it. Throws TEMPLATE_NOT_FOUND,
 * VALIDATION_ERROR.
 */
export async function resolvePreview(body: PreviewRequest, templates: PreviewLookup): Promise<RenderInput> {
  const { template: idOrSlug, html, header_html, footer_html, sample } = body
  const unsaved = {
    ...defined({ partial_sources: body.partials, translations: body.translations, helpers: body.helpers }),
  }
  const template = idOrSlug === undefined ? undefined : await templateOf(idOrSlug, body, templates)
  if (!template && html === undefined) return invalidField('html', 'is required, unless template is given')
  const { template_version, template_label } = body
  if (!template && template_version !== undefined) invalidField('template_version', 'requires template')
  if (!template && template_label !== undefined) invalidField('template_label', 'requires template')
  if (template_version !== undefined && template_label !== undefined) {
    invalidField('template_label', 'cannot be given together with template_version')
  }
  const { data, data_json } = body
  if (sample !== undefined && (data ?? data_json) !== undefined)
    invalidField('sample', 'cannot be given together with data')
  const given = data_json === undefined ? { data: data ?? sampleOf(template, sample) } : { data_json }
  const options: PdfOptions = {
    ...body.options,
    ...defined({ header_html, footer_html }),
  }
  if (template && html === undefined) {
    const request = { template: template.id, template_version: template.version, ...given, options }
    const { input } = await resolveInput(request, withPartials(body.partials, templates))
    return { ...input, ...unsaved }
  }
  if (template?.data_schema) await templates.checkData(template.data_schema, given.data_json ?? given.data)
  const merged = template ? overrideOptions(template, options) : options
  const problems = optionProblems(resolvePdfOptions(merged))
  if (problems.length > 0) throw validationError(problems, 'the body')
  const request = { html: html ?? '', ...given, options: merged }
  const { input } = await resolveInput(request, withPartials(body.partials, templates))
  const { translations, helpers } = template ?? {}
  return { ...input, ...defined({ translations, helpers }), ...unsaved }
}

/** Unsaved partials may call others, of which the newest versions are taken, too. */
function withPartials(unsaved: PreviewBody['partials'], templates: PreviewLookup): PreviewLookup {
  if (!unsaved) return templates
  const added = Object.values(unsaved)
  return { ...templates, newestPins: (sources, names) => templates.newestPins([...sources, ...added], names) }
}

async function templateOf(idOrSlug: string, body: PreviewBody, templates: PreviewLookup): Promise<Template> {
  const newest = await templates.find(idOrSlug)
  if (!newest) return templates.notFound(idOrSlug)
  const { version } = await versionOf(newest, body, templates)
  const found = version === newest.version ? newest : await templates.at(newest.id, version - 1)
  return found ?? fail('TEMPLATE_NOT_FOUND', `Version ${version} of template ${idOrSlug} is its deletion`)
}

/** Throws VALIDATION_ERROR. */
export function sampleOf(template: Template | undefined, sample: string | undefined): JsonObject {
  if (sample === undefined) return template?.sample_data ?? {}
  const { samples = {} } = template ?? {}
  if (Object.hasOwn(samples, sample)) return samples[sample] ?? {}
  const names = Object.keys(samples)
  return invalidField(
    'sample',
    names.length === 0 ? 'is not one of the template, which has none' : `must be ${names.join(' or ')}`,
  )
}
