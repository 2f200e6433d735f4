import type { PdfFile } from '@platen/pdf-tools/task/task.ts'
import t from 'tap'
import { resultFile } from './result-file.ts'

/** The names in the ZIP file of the result. */
async function namesOf(files: PdfFile[]): Promise<string[]> {
  const { bytes, media_type } = await resultFile({ files, steps: [], warnings: [] }, { zipped: true })
  t.equal(media_type, 'application/zip')
  const text = Buffer.from(bytes).toString('latin1')
  return [...new Set(text.match(/(page|part)-\d+\.[a-z]+/g))]
}

const picture = (page: number): PdfFile => ({ bytes: new Uint8Array(3), mediaType: 'image/png', page })

t.test('pictures are named by their pages, and PDFs by their places', async (t) => {
  t.strictSame(await namesOf([picture(9), picture(10)]), ['page-09.png', 'page-10.png'])
  const part: PdfFile = { bytes: new Uint8Array(3), mediaType: 'application/pdf', pages: 2 }
  t.strictSame(await namesOf([part, part]), ['part-1.pdf', 'part-2.pdf'])
})

t.test('pictures of the same page of several parts have names of their own', async (t) => {
  const files = [picture(1), picture(2), picture(1), picture(2)]
  t.strictSame(await namesOf(files), ['page-1.png', 'page-2.png', 'page-3.png', 'page-4.png'])
})
