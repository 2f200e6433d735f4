import {
  getDocument,
  OPS,
  type PDFDocumentProxy,
  type PDFPageProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs'

export interface ReadPage {
  text: string
  runs: ReadRun[]
  /** Millimetres, rounded. */
  widthMm: number
  heightMm: number
  /** PostScript names of the embedded fonts, without subset tags. */
  fonts: string[]
  /** Fill colours of areas and text: `#ff0000`. */
  fills: string[]
  images: number
}

/** A run of text. Positions are in millimetres from the left and upper edge of the sheet. */
export interface ReadRun {
  text: string
  leftMm: number
  rightMm: number
  baselineMm: number
  sizePt: number
}

const mm = (points: number) => (points / 72) * 25.4

/** Reads a PDF with Mozilla's pdf.js, which shares no code with the browser that printed it. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPage[]> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS, fontExtraProperties: true })
  const pdf = await task.promise
  try {
    return await Promise.all(Array.from({ length: pdf.numPages }, (_, index) => readPage(pdf, index + 1)))
  } finally {
    await task.destroy()
  }
}

async function readPage(pdf: PDFDocumentProxy, number: number): Promise<ReadPage> {
  const page = await pdf.getPage(number)
  const runs = await readRuns(page)
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view
  return {
    text: runs
      .map(({ text }) => text)
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim(),
    runs: runs.filter(({ text }) => text.trim() !== ''),
    widthMm: Math.round(mm(right - left)),
    heightMm: Math.round(mm(top - bottom)),
    ...(await readDrawing(page)),
  }
}

async function readRuns(page: PDFPageProxy): Promise<ReadRun[]> {
  const { items } = await page.getTextContent()
  const [, , , top = 0] = page.view
  return items.flatMap((item) => {
    if (!('str' in item)) return []
    const [, , c, d, x, y]: number[] = item.transform
    const { str: text, width } = item
    return {
      text,
      leftMm: mm(x ?? 0),
      rightMm: mm((x ?? 0) + width),
      baselineMm: mm(top - (y ?? 0)),
      sizePt: Math.hypot(c ?? 0, d ?? 0),
    }
  })
}

async function readDrawing(page: PDFPageProxy): Promise<Pick<ReadPage, 'fonts' | 'fills' | 'images'>> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const calls = fnArray.map((operator, index) => ({ operator, args: argsArray[index] ?? [] }))
  const of = (operator: number) => calls.filter((call) => call.operator === operator).map(({ args }) => args[0])
  const fonts = of(OPS.setFont).map((id) => page.commonObjs.get(id).name.replace(/^[A-Z]{6}\+/, ''))
  return {
    fonts: [...new Set<string>(fonts)],
    fills: [...new Set<string>(of(OPS.setFillRGBColor))],
    images: of(OPS.paintImageXObject).length,
  }
}
