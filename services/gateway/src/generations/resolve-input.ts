import { type PdfOptions, type ResolvedPdfOptions, resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { GenerateBody, RenderInput, RequestedTemplate } from '@platen/domain/generation/generation.ts'
import { fail } from '@platen/domain/http/errors.ts'
import type { LabelState } from '@platen/domain/template/label-state.ts'
import type { Template } from '@platen/domain/template/template.ts'
import type { PartialPins } from '@platen/domain/template/template-content.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { validationError } from '../http/errors/field-problems.ts'
import { optionProblems } from '../options/option-problems.ts'
import { overrideOptions } from '../options/override-options.ts'
import { versionWithLabel } from '../templates/template-params.ts'
import type { AcceptedVersion, VersionReader } from '../templates/version-reader.ts'

export interface ResolvedInput {
  input: RenderInput
  template?: RequestedTemplate
  /** For how many days the template says that inputs are kept. */
  retainInput?: number
}

export interface TemplateLookup {
  /** Finds the newest version of a template. */
  find(idOrSlug: string): Promise<Template | undefined>
  /** Throws TEMPLATE_NOT_FOUND. */
  notFound(idOrSlug: string): never
  readVersion: VersionReader
  /** The newest partials that sources call, and those of the names. */
  newestPins: (sources: readonly string[], names?: readonly string[]) => Promise<PartialPins>
  labelsOf(id: string): Promise<LabelState>
  /** Throws VALIDATION_ERROR. */
  checkData(schema: JsonObject, data: DocumentData): Promise<void>
}

/** A request whose data are `data_json` if they are large. */
export type DocumentRequest = GenerateBody & { data_json?: string | undefined }

/** A text is the JSON of the data. */
export type DocumentData = JsonObject | string

/**
 * The input of the renderer. It fixes the version of the template and merges its options with those of the request, so
 * that the document has one version of both. Throws TEMPLATE_NOT_FOUND, VALIDATION_ERROR.
 */
export async function resolveInput(body: DocumentRequest, templates: TemplateLookup): Promise<ResolvedInput> {
  const { html, template: idOrSlug, data, data_json } = body
  // Inline html without data is not a Handlebars template.
  if (idOrSlug === undefined) {
    const options = resolvePdfOptions(body.options)
    const isTemplate = data !== undefined || data_json !== undefined
    const partials = isTemplate ? await templates.newestPins(sourcesOf(html, options)) : undefined
    const input = {
      ...defined({ html }),
      ...dataOf(body),
      ...pinsOf(partials),
      options,
    }
    return { input }
  }
  const newest = (await templates.find(idOrSlug)) ?? templates.notFound(idOrSlug)
  const { id, slug } = newest
  const accepted = await versionOf(newest, body, templates)
  const { version } = accepted
  const options = optionsOf(accepted, body)
  if (accepted.data_schema) await templates.checkData(accepted.data_schema, data_json ?? data ?? {})
  const partials = await partialsOf(accepted, { body, options, templates })
  const given = data_json === undefined ? { data: data ?? {} } : { data_json }
  const input = { template: { id, version }, ...given, ...pinsOf(partials), options }
  const { retain_input: retainInput } = accepted
  return { input, template: { id, version, slug }, ...defined({ retainInput }) }
}

/**
 * Partials that replace the pins of the template: the newest ones if the template follows them, and those that only the
 * header, footer or e-invoice of the request call. Undefined if the pins of the template are used.
 */
async function partialsOf(
  accepted: AcceptedVersion,
  { body, options, templates }: PartialsContext,
): Promise<PartialPins | undefined> {
  if (accepted.follow_partials) {
    // For an older version, the partials that were found when it was saved.
    const html = 'html' in accepted ? String(accepted.html) : undefined
    const names = html === undefined ? Object.keys(accepted.partials ?? {}) : []
    return templates.newestPins(sourcesOf(html, options), names)
  }
  const added = await templates.newestPins(sourcesOf(undefined, body.options ?? {}))
  return Object.keys(added).length === 0 ? undefined : { ...added, ...accepted.partials }
}

interface PartialsContext {
  body: GenerateBody
  options: ResolvedPdfOptions
  templates: TemplateLookup
}

function dataOf({ data, data_json }: DocumentRequest): Pick<RenderInput, 'data' | 'data_json'> {
  if (data_json !== undefined) return { data_json }
  return data === undefined ? {} : { data }
}

type SourceOptions = Pick<PdfOptions, 'header_html' | 'footer_html' | 'output'>

function sourcesOf(html: string | undefined, { header_html, footer_html, output }: SourceOptions): string[] {
  return [html, header_html, footer_html, output?.e_invoice?.xml].filter((source) => source !== undefined)
}

/** A command has no empty pins. */
function pinsOf(partials: PartialPins | undefined): { partials?: PartialPins } {
  return partials && Object.keys(partials).length > 0 ? { partials } : {}
}

type NamedVersion = Pick<GenerateBody, 'template' | 'template_version' | 'template_label'>

/** The version that a request names by its number or label. Throws TEMPLATE_NOT_FOUND, LABEL_NOT_FOUND. */
export async function versionOf(
  newest: Template,
  body: NamedVersion,
  templates: Pick<TemplateLookup, 'labelsOf' | 'readVersion'>,
): Promise<AcceptedVersion> {
  const { template: idOrSlug, template_version, template_label: label } = body
  const version =
    label === undefined ? template_version : versionWithLabel(newest.slug, label, await templates.labelsOf(newest.id))
  if (version === undefined) return newest
  if (version > newest.version) {
    notFound(`Template ${idOrSlug} has no version ${version}; it has versions 1 to ${newest.version}`)
  }
  return (
    (await templates.readVersion(newest, version)) ??
    notFound(`Version ${version} of template ${idOrSlug} is its deletion`)
  )
}

/** The merged options, checked together: a margin of the request may only fit the paper of the template. */
function optionsOf(template: AcceptedVersion, { options }: GenerateBody): ResolvedPdfOptions {
  const resolved = resolvePdfOptions(overrideOptions(template, options))
  const problems = optionProblems(resolved)
  if (problems.length > 0) throw validationError(problems, 'the body')
  return resolved
}

function notFound(message: string): never {
  return fail('TEMPLATE_NOT_FOUND', message)
}
