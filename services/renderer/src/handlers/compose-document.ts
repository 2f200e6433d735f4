import type { RenderInput } from '@platen/shared/contracts/generation.ts'
import type { TemplateEngine } from '@platen/shared/handlebars/engine.ts'
import { fail } from '@platen/shared/runtime/errors.ts'
import type { TemplateSource } from './template-source.ts'

/** HTML ready to print. */
export interface ComposedDocument {
  html: string
  headerHtml?: string
  footerHtml?: string
}

export interface ComposeOptions {
  engine: Pick<TemplateEngine, 'render'>
  templateSource: TemplateSource
  /** Who shares the template workers with others. */
  owner: string
}

/**
 * Runs a template, or inline HTML with data, and its header and footer with the data. Inline HTML without data is not a
 * template and stays unchanged. Throws DomainError TEMPLATE_*, RENDER_LIMIT_EXCEEDED.
 */
export async function composeDocument(
  input: RenderInput,
  { engine, templateSource, owner }: ComposeOptions,
): Promise<ComposedDocument> {
  const sources = {
    html: await bodyOf(input, templateSource),
    ...(input.options.header_html !== undefined && { header_html: input.options.header_html }),
    ...(input.options.footer_html !== undefined && { footer_html: input.options.footer_html }),
  }
  const data = input.data ?? (input.template && {})
  const filled: Record<string, string> = data ? await engine.render({ sources, data, owner }) : sources
  return {
    html: filled.html ?? '',
    ...(filled.header_html !== undefined && { headerHtml: filled.header_html }),
    ...(filled.footer_html !== undefined && { footerHtml: filled.footer_html }),
  }
}

async function bodyOf({ html, template }: RenderInput, templateSource: TemplateSource): Promise<string> {
  if (template) return templateSource(template)
  return html ?? fail('VALIDATION_ERROR', 'Neither html nor template is given')
}
