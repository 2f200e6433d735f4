import { api, unwrap } from '../../../api/client.ts'
import { keepNewest } from '../../../parts/keep-newest.ts'

interface Source {
  idOrSlug: string
  /** Of the data that both versions are printed with. */
  json: string
}

/** Pictures of pages that a comparison does not have: of pages that are the same, and larger ones. */
export interface Pictures {
  /** The URL of a picture of a page that is `width` pixels wide. */
  draw(picture: { version: number; page: number; width: number }, signal: AbortSignal): Promise<string>
  /** Lets go of all. */
  clear(): void
}

const maxKept = 40
/** A preview of one viewer ends its older ones. Each side is a viewer, so that both are drawn. */
const viewer = `studio-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}`

export function pagePictures({ idOrSlug, json }: Source): Pictures {
  const urls = new Map<string, string>()
  return {
    async draw({ version, page, width }, signal) {
      const key = `${version} ${page} ${width}`
      const known = urls.get(key)
      if (known !== undefined) return known
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
      const url = URL.createObjectURL(blob as Blob)
      keepNewest(urls, { key, value: url, most: maxKept }, (old) => URL.revokeObjectURL(old))
      return url
    },
    clear() {
      for (const url of urls.values()) URL.revokeObjectURL(url)
      urls.clear()
    },
  }
}
