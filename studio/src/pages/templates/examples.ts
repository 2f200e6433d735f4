import { ApiError } from '../../api/api-error.ts'
import { api, type Schemas, unwrap } from '../../api/client.ts'

type NewTemplate = Schemas['CreateTemplateRequest']

interface ExampleFile {
  template: NewTemplate
  partials: Record<string, string>
}

/** The examples that the studio has with it. Each is a file at `/studio/examples/`. */
export const examples = [
  { slug: 'invoice', name: 'Invoice', about: 'A table with totals, a letterhead as a partial, page numbers' },
  { slug: 'quotation', name: 'Quotation', about: 'Two languages from one template, samples by name' },
  { slug: 'report', name: 'Report', about: 'Ten pages with contents, chapters and references' },
  { slug: 'letter', name: 'Letter', about: 'An address for a window envelope, fold marks' },
  { slug: 'certificate', name: 'Certificate', about: 'One landscape page with a border' },
  { slug: 'shipping-label', name: 'Shipping label', about: '100 × 150 mm with a barcode' },
] as const

export type ExampleSlug = (typeof examples)[number]['slug']

/** What a template from nothing has. */
export const blankTemplate = {
  html: '<!doctype html>\n<html lang="en">\n<head>\n<style>\n  body { font: 11pt/1.5 sans-serif; color: #222 }\n</style>\n</head>\n<body>\n  <h1>Hello, {{name}}!</h1>\n</body>\n</html>\n',
  sample_data: { name: 'world' },
}

/** Stores the partials of an example that are missing, and then the example as a template with the name. */
export async function createFromExample(slug: ExampleSlug, name: string): Promise<Schemas['Template']> {
  const response = await fetch(`/studio/examples/${slug}.json`)
  if (!response.ok) throw new Error(`The example cannot be read: the server answered ${response.status}`)
  const { template, partials }: ExampleFile = await response.json()
  for (const [partial, html] of Object.entries(partials)) await storePartial(partial, html)
  return unwrap(api.POST('/v1/templates', { body: { ...template, name } }))
}

/** One that is there may have been changed, and is kept. */
async function storePartial(name: string, html: string): Promise<void> {
  try {
    await unwrap(api.GET('/v1/partials/{idOrName}', { params: { path: { idOrName: name } } }))
  } catch (err) {
    if (!(err instanceof ApiError) || err.status !== 404) throw err
    await unwrap(api.POST('/v1/partials', { body: { name, html } }))
  }
}
