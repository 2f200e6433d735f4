import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'

export interface PdfFolder {
  /** Resolves with the path when content and name are on disk. A reader sees the whole file or none. */
  write(id: string, pdf: Buffer): Promise<string>
}

export async function openPdfFolder(parent: string): Promise<PdfFolder> {
  const folder = join(parent, 'pdfs')
  await mkdir(folder)
  const handle = await open(folder)
  return {
    async write(id, pdf) {
      const path = join(folder, `${id}.pdf`)
      const file = await open(`${path}.tmp`, 'wx')
      await file.writeFile(pdf)
      await file.sync()
      await file.close()
      await rename(`${path}.tmp`, path)
      await handle.sync()
      return path
    },
  }
}
