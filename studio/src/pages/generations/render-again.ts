import { api, type Schemas, unwrap } from '../../api/client.ts'
import { notify } from '../../parts/toasts.tsx'
import { navigate } from '../../router/address.ts'

/** Renders a document again, by default with the same version of its template, and opens the page of the new generation. */
export async function renderAgain(id: string, body: Schemas['RetryRequest'] = {}): Promise<void> {
  const made = await unwrap(api.POST('/v1/generations/{id}/retry', { params: { path: { id } }, body }))
  notify('The document is rendered again, as a new generation')
  await navigate(`/generations/${made.id}`)
}
