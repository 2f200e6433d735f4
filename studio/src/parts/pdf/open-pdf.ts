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
  // The policy of the studio has no `wasm-unsafe-eval`.
  const task = getDocument({ data, worker, useWasm: false, isOffscreenCanvasSupported: false })
  return { document: await task.promise, [Symbol.asyncDispose]: () => task.destroy() }
}
