import { apiUrl } from '../../../api/client.ts'
import type { Which } from '../../../parts/comparison/compared.ts'
import { keptPictures, type Pictures } from '../../../parts/comparison/pictures.ts'
import { loadBytes } from '../../../parts/pdf/load-bytes.ts'
import type { OpenedPdf } from '../../../parts/pdf/open-pdf.ts'
import { pagePicture } from '../../../parts/pdf/page-picture.ts'

/** Pictures of pages of two PDFs. Each is loaded when its first picture is drawn. */
export function documentPictures(ids: Readonly<Record<Which, string>>): Pictures {
  const opened = new Map<Which, Promise<OpenedPdf>>()
  const ended = new AbortController()
  const open = async (of: Which): Promise<OpenedPdf> => {
    // pdf.js has half a megabyte.
    const [{ openPdf }, bytes] = await Promise.all([
      import('../../../parts/pdf/open-pdf.ts'),
      loadBytes(apiUrl(`/v1/generations/${ids[of]}/file`), ended.signal),
    ])
    return openPdf(bytes)
  }
  const documentOf = (of: Which) => {
    const known = opened.get(of) ?? open(of)
    opened.set(of, known)
    // It is tried again.
    known.catch(() => opened.delete(of))
    return known
  }
  const { draw, clear } = keptPictures(async ({ of, page, width }) => {
    const { document } = await documentOf(of)
    return pagePicture(await document.getPage(page), width)
  })
  return {
    draw,
    clear() {
      ended.abort()
      clear()
      for (const pdf of opened.values()) pdf.then((one) => one[Symbol.asyncDispose]()).catch(() => {})
    },
  }
}
