import type { GenerateBody, RenderInput } from '@platen/shared/contracts/generation.ts'
import type { ResolvedPdfOptions } from '@platen/shared/contracts/pdf-options.ts'
import { fail } from '@platen/shared/runtime/errors.ts'
import type { TemplateView } from '../templates/template-view.ts'

/** What is to be printed: the template's version is settled here, at the request. Throws TEMPLATE_NOT_FOUND. */
export function resolveInput(body: GenerateBody, options: ResolvedPdfOptions, templates: TemplateView): RenderInput {
  const { html, template: idOrSlug, template_version, data } = body
  // Without data, inline html is no Handlebars source: it is printed as it stands.
  if (idOrSlug === undefined) {
    return { ...(html !== undefined && { html }), ...(data !== undefined && { data }), options }
  }
  const template = templates.find(idOrSlug) ?? fail('TEMPLATE_NOT_FOUND', `No template ${idOrSlug}`)
  const { id, version: newest } = template
  if (template_version !== undefined && template_version > newest) {
    fail(
      'TEMPLATE_NOT_FOUND',
      `No version ${template_version} of the template ${idOrSlug}: it has the versions 1 to ${newest}`,
    )
  }
  return { template: { id, version: template_version ?? newest }, data: data ?? {}, options }
}
