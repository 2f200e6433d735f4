import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'

export interface ReadPage {
  text: string
  /** Millimetres, rounded. */
  widthMm: number
  heightMm: number
}

/** What a PDF says, read by Mozilla's pdf.js: a tool that shares nothing with the one that printed it. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPage[]> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS })
  const pdf = await task.promise
  try {
    return await Promise.all(Array.from({ length: pdf.numPages }, (_, index) => readPage(pdf, index + 1)))
  } finally {
    await task.destroy()
  }
}

async function readPage(pdf: Awaited<ReturnType<typeof getDocument>['promise']>, number: number): Promise<ReadPage> {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view
  // A PDF's unit is 1/72 inch.
  const mm = (points: number) => Math.round((points / 72) * 25.4)
  return {
    text: items
      .map((item) => ('str' in item ? item.str : ''))
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim(),
    widthMm: mm(right - left),
    heightMm: mm(top - bottom),
  }
}
