import { ApiError } from '../../api/api-error.ts'
import { api, unwrap, unwrapExact } from '../../api/client.ts'
import type { Content, VersionedTemplate } from './resources.ts'

/** Reads a template by its id, also a deleted one. */
export async function readTemplate(idOrSlug: string, signal: AbortSignal): Promise<VersionedTemplate> {
  const path = { idOrSlug }
  try {
    const template = await unwrap(api.GET('/v1/templates/{idOrSlug}', { params: { path }, signal }))
    return versioned(template, { isDeleted: false, revision: template.version })
  } catch (err) {
    if (!(err instanceof ApiError) || err.code !== 'TEMPLATE_NOT_FOUND') throw err
    const params = { path, query: { limit: 1 } }
    const { data } = await unwrap(api.GET('/v1/templates/{idOrSlug}/versions', { params, signal }))
    const deletion = data[0]?.version ?? 0
    if (deletion < 2) throw err
    return versioned(await readVersion(idOrSlug, deletion - 1, signal), { isDeleted: true, revision: deletion })
  }
}

/** Reads the content of a version, which never changes. */
export function readVersion(idOrSlug: string, version: number, signal: AbortSignal): Promise<Content> {
  const path = { idOrSlug, version }
  const call = api.GET('/v1/templates/{idOrSlug}/versions/{version}', { params: { path }, signal, parseAs: 'text' })
  return unwrapExact<Content>(call)
}

function versioned(
  { id, name, slug, version, labels = {} }: Content,
  more: Pick<VersionedTemplate, 'isDeleted' | 'revision'>,
): VersionedTemplate {
  return { id, name, slug, labels, newest: version, ...more }
}
