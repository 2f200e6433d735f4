import { keepNewest } from '../keep-newest.ts'
import type { Which } from './compared.ts'

/** A picture of a page that is `width` pixels wide. */
export interface AskedPicture {
  of: Which
  page: number
  width: number
}

/** Pictures of pages that a comparison does not have: of pages that are the same, and larger ones. */
export interface Pictures {
  /** The URL of a picture. */
  draw(picture: AskedPicture, signal: AbortSignal): Promise<string>
  /** Lets go of all. */
  clear(): void
}

const maxKept = 40

/** Pictures that are drawn once, as long as they are among the newest ones. */
export function keptPictures(drawn: (picture: AskedPicture, signal: AbortSignal) => Promise<Blob>): Pictures {
  const urls = new Map<string, string>()
  return {
    async draw(picture, signal) {
      const key = `${picture.of} ${picture.page} ${picture.width}`
      const known = urls.get(key)
      if (known !== undefined) return known
      const url = URL.createObjectURL(await drawn(picture, signal))
      keepNewest(urls, { key, value: url, most: maxKept }, (old) => URL.revokeObjectURL(old))
      return url
    },
    clear() {
      for (const url of urls.values()) URL.revokeObjectURL(url)
      urls.clear()
    },
  }
}
