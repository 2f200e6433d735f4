import type { Schemas } from '../../api/client.ts'

type Template = Schemas['Template']
type NewTemplate = Schemas['CreateTemplateRequest']

/** A request that creates a template with the content of another one. Its slug is made of the new name. */
export function copyOf(template: Template, name: string): NewTemplate {
  const { html, sample_data, options, header_html, footer_html, data_schema, samples, translations, helpers } = template
  const { follow_partials, retain_input } = template
  const content = { html, sample_data, options, header_html, footer_html, data_schema, samples, translations, helpers }
  // A field without a value is left out of the request.
  const copy: Record<string, unknown> = { name, ...content, follow_partials, retain_input }
  return copy as NewTemplate
}
