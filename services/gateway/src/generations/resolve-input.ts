import type { GenerateBody, RenderInput, RequestedTemplate } from '@platen/shared/contracts/generation.ts'
import { optionProblems } from '@platen/shared/contracts/option-problems.ts'
import { overrideOptions } from '@platen/shared/contracts/override-options.ts'
import { type ResolvedPdfOptions, resolvePdfOptions } from '@platen/shared/contracts/pdf-options.ts'
import type { Template } from '@platen/shared/contracts/template.ts'
import { fail } from '@platen/shared/runtime/errors.ts'
import { validationError } from '../http/errors/invalid-field.ts'
import type { AcceptedVersion, VersionReader } from '../templates/version-reader.ts'

export interface ResolvedInput {
  input: RenderInput
  template?: RequestedTemplate
}

export interface TemplateLookup {
  /** The newest version. */
  find(idOrSlug: string): Promise<Template | undefined>
  readVersion: VersionReader
}

/**
 * The input of the renderer. The version of the template is fixed at the time of the request, and its options are merged with
 * those of the request, so that the document is printed with one version of both. Throws TEMPLATE_NOT_FOUND, VALIDATION_ERROR.
 */
export async function resolveInput(body: GenerateBody, templates: TemplateLookup): Promise<ResolvedInput> {
  const { html, template: idOrSlug, data } = body
  // Inline html without data is not a Handlebars template.
  if (idOrSlug === undefined) {
    const options = resolvePdfOptions(body.options)
    return { input: { ...(html !== undefined && { html }), ...(data !== undefined && { data }), options } }
  }
  const newest = (await templates.find(idOrSlug)) ?? notFound(`Template ${idOrSlug} does not exist`)
  const { id, slug } = newest
  const accepted = await versionOf(newest, { idOrSlug, version: body.template_version, ...templates })
  const { version } = accepted
  const options = optionsOf(accepted, body)
  return { input: { template: { id, version }, data: data ?? {}, options }, template: { id, version, slug } }
}

async function versionOf(
  newest: Template,
  { idOrSlug, version, readVersion }: { idOrSlug: string; version: number | undefined; readVersion: VersionReader },
): Promise<AcceptedVersion> {
  if (version === undefined) return newest
  if (version > newest.version) {
    notFound(`Template ${idOrSlug} has no version ${version}; it has versions 1 to ${newest.version}`)
  }
  return (await readVersion(newest, version)) ?? notFound(`Template ${idOrSlug} was deleted in version ${version}`)
}

/** Only together they can be checked: a margin of the request may need the paper of the template. */
function optionsOf(template: AcceptedVersion, { options }: GenerateBody): ResolvedPdfOptions {
  const resolved = resolvePdfOptions(overrideOptions(template, options))
  const problems = optionProblems(resolved)
  if (problems.length > 0) throw validationError(problems, 'the body')
  return resolved
}

function notFound(message: string): never {
  return fail('TEMPLATE_NOT_FOUND', message)
}
