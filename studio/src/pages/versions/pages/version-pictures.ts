import { api, unwrap } from '../../../api/client.ts'
import { keptPictures, type Pictures } from '../../../parts/comparison/pictures.ts'

interface Source {
  idOrSlug: string
  from: number
  to: number
  /** Of the data that both versions are printed with. */
  json: string
}

/** A preview of one viewer ends its older ones. Each side is a viewer, so that both are drawn. */
const viewer = `studio-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}`

/** Pictures of pages of two versions, which are printed anew. */
export function versionPictures({ idOrSlug, json, ...versions }: Source): Pictures {
  return keptPictures(async ({ of, page, width }, signal) => {
    const version = versions[of]
    const fields = { template: idOrSlug, template_version: version, format: 'png', page, width }
    const client = `${viewer}-${version}`
    const blob = await unwrap(
      api.POST('/v1/preview', {
        body: {},
        bodySerializer: () => `${JSON.stringify({ ...fields, client }).slice(0, -1)},"data":${json}}`,
        parseAs: 'blob',
        signal,
      }),
    )
    return blob as Blob
  })
}
