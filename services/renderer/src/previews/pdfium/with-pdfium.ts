import { PDFiumLibrary } from '@hyzyla/pdfium'

let library: Promise<PDFiumLibrary> | undefined

/**
 * Runs a task of this thread with PDFium. One that has failed may have damaged the memory of PDFium, or have filled it: the next
 * task has a new one.
 */
export async function withPdfium<Result>(task: (library: PDFiumLibrary) => Promise<Result>): Promise<Result> {
  library ??= PDFiumLibrary.init()
  try {
    return await task(await library)
  } catch (err) {
    library = undefined
    throw err
  }
}
