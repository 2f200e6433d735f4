import { ApiError } from '../../../api/api-error.ts'
import { api, unwrap } from '../../../api/client.ts'
import type { EditedPartial } from './fields.ts'

/** As the server has it. Rejects with an ApiError. */
export async function readPartial(name: string): Promise<EditedPartial> {
  const params = { path: { idOrName: name } }
  const { html, version } = await unwrap(api.GET('/v1/partials/{idOrName}', { params, cache: 'no-store' }))
  return { html, version }
}

/**
 * Saves a partial. `theirs`: somebody else has saved another version since the one that was changed. Rejects with an ApiError.
 */
export async function savePartial(
  name: string,
  { html, version }: EditedPartial,
): Promise<{ saved: EditedPartial } | { theirs: EditedPartial }> {
  try {
    const path = { idOrName: name }
    const call =
      version === 0
        ? api.POST('/v1/partials', { body: { name, html } })
        : api.PATCH('/v1/partials/{idOrName}', {
            params: { path, header: { 'if-match': `"${version}"` } },
            body: { html },
          })
    const saved = await unwrap<EditedPartial>(call)
    return { saved: { html, version: saved.version } }
  } catch (err) {
    const isConflict = err instanceof ApiError && (err.code === 'PRECONDITION_FAILED' || err.code === 'CONFLICT')
    if (!isConflict) throw err
    const theirs = await readPartial(name)
    // The answer of an earlier request may have been lost.
    return theirs.html === html ? { saved: theirs } : { theirs }
  }
}
