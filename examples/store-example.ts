import { type Platen, unwrap } from '@platen/client'
import type { Example, ExampleTemplate } from './read-example.ts'

/** Stores partials and assets first, because a template is checked when it is saved. */
export async function storeExample(platen: Platen, { template, partials, assets }: Example): Promise<void> {
  for (const [name, bytes] of Object.entries(assets)) await platen.putAsset(name, bytes)
  for (const [name, html] of Object.entries(partials)) await storePartial(platen, name, html)
  await storeTemplate(platen, template)
}

export async function storePartial({ api }: Platen, name: string, html: string): Promise<void> {
  const path = { idOrName: name }
  const { response } = await api.GET('/v1/partials/{idOrName}', { params: { path } })
  if (response.status === 404) await unwrap(api.POST('/v1/partials', { body: { name, html } }))
  else await unwrap(api.PATCH('/v1/partials/{idOrName}', { params: { path }, body: { html } }))
}

/** Creates the template, or changes the one with its slug. */
export async function storeTemplate({ api }: Platen, { slug, ...body }: ExampleTemplate): Promise<void> {
  await unwrap(api.PUT('/v1/templates/by-slug/{slug}', { params: { path: { slug } }, body }))
}
