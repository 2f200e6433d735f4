import { endingOf, pdfType } from '@platen/domain/generation/job-details.ts'
import type { PdfFile, PdfResult } from '@platen/pdf-tools/task/task.ts'

/** The one file of a result. */
export interface ResultFile {
  bytes: Uint8Array
  /** Absent for a PDF. */
  media_type?: string
  /** Of all PDFs, or the number of pictures. */
  pages: number
}

/** The file, or a ZIP file with all of them. The PDFs of `split` are in one even if it has made one only. */
export async function resultFile({ files }: PdfResult, { zipped }: { zipped: boolean }): Promise<ResultFile> {
  const pages = files.reduce((sum, file) => sum + (file.pages ?? 1), 0)
  const [first] = files
  if (!first) throw new Error('the PDF tools have returned no file')
  if (files.length === 1 && !zipped) {
    const { bytes, mediaType } = first
    return { bytes, pages, ...(mediaType !== pdfType && { media_type: mediaType }) }
  }
  // Loaded with the first ZIP file.
  const { downloadZip } = await import('client-zip')
  const digits = String(Math.max(...files.map(({ page = 0 }) => page), files.length)).length
  // Each part of a split has a first page: its pictures are named by their places.
  const isUnique = new Set(files.map(({ page }) => page)).size === files.length
  const named = files.map((file, index) => {
    const number = (isUnique ? file.page : undefined) ?? index + 1
    return { name: nameOf(file, String(number).padStart(digits, '0')), input: file.bytes }
  })
  return { bytes: await downloadZip(named).bytes(), pages, media_type: 'application/zip' }
}

/** `page-03.png`, or `part-03.pdf`. Names in alphabetical order are in that of the pages. */
function nameOf({ mediaType, page }: PdfFile, number: string): string {
  return `${page === undefined ? 'part' : 'page'}-${number}.${endingOf(mediaType)}`
}
