import type { GenerateBody, RenderInput, RequestedTemplate } from '@platen/shared/contracts/generation.ts'
import type { ResolvedPdfOptions } from '@platen/shared/contracts/pdf-options.ts'
import type { Template } from '@platen/shared/contracts/template.ts'
import { fail } from '@platen/shared/runtime/errors.ts'

export interface ResolvedInput {
  input: RenderInput
  template?: RequestedTemplate
}

/** The input of the renderer. The version of the template is fixed at the time of the request. Throws TEMPLATE_NOT_FOUND. */
export async function resolveInput(
  body: GenerateBody,
  options: ResolvedPdfOptions,
  findTemplate: (idOrSlug: string) => Promise<Template | undefined>,
): Promise<ResolvedInput> {
  const { html, template: idOrSlug, template_version, data } = body
  // Inline html without data is not a Handlebars template.
  if (idOrSlug === undefined) {
    return { input: { ...(html !== undefined && { html }), ...(data !== undefined && { data }), options } }
  }
  const template = await findTemplate(idOrSlug)
  if (!template) return fail('TEMPLATE_NOT_FOUND', `Template ${idOrSlug} does not exist`)
  const { id, slug, version: newest } = template
  if (template_version !== undefined && template_version > newest) {
    fail(
      'TEMPLATE_NOT_FOUND',
      `Template ${idOrSlug} has no version ${template_version}; it has versions 1 to ${newest}`,
    )
  }
  const version = template_version ?? newest
  return { input: { template: { id, version }, data: data ?? {}, options }, template: { id, version, slug } }
}
