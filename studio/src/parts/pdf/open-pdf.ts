import { getDocument, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist'
import { startWorker } from '../start-worker.ts'
import workerUrl from './pdf-worker.ts?worker'

let worker: PDFWorker | undefined

export interface OpenedPdf extends AsyncDisposable {
  document: PDFDocumentProxy
}

/** Opens a PDF in the worker, which all documents share. The bytes go to the worker. */
export async function openPdf(data: Uint8Array<ArrayBuffer>): Promise<OpenedPdf> {
  worker ??= PDFWorker.create({ port: startWorker(workerUrl) })
  // The policy of the studio has no `wasm-unsafe-eval`. Glyphs are drawn as paths: the browser takes 40 ms to load the
  // fonts of a document of two pages.
  const options = { useWasm: false, isOffscreenCanvasSupported: false, disableFontFace: true }
  const task = getDocument({ data, worker, ...options })
  return { document: await task.promise, [Symbol.asyncDispose]: () => task.destroy() }
}
