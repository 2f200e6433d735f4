import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium'
import { checkEnds } from '../pdf/check-ends.ts'
import { PdfToolFailed, refuse } from '../task/pdf-tool-failed.ts'
import type { PdfBounds } from '../task/task.ts'

/** What Node.js takes of the memory of the process, with one picture that PDFium has drawn. */
const ownMemoryMb = 96
/** The largest picture takes 100 MB, and so does each transparent layer that is open on it. */
const mostMemoryMb = 512

const program = fileURLToPath(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm'))

interface OpenPdfium {
  library: PDFiumLibrary
  /** It was refused memory that it wanted. */
  hasTooLittle: boolean
}

let opening: Promise<OpenPdfium> | undefined

/**
 * Runs a task with the PDFium of this process. Throws PdfToolFailed: what the task has refused; `out-of-memory` also for a picture that
 * PDFium has drawn without the layers for which it had no memory; `crashed`. After the last two, PDFium is not to be used again.
 */
export async function withPdfium<Result>(
  { memoryMb }: Pick<PdfBounds, 'memoryMb'>,
  task: (library: PDFiumLibrary) => Promise<Result>,
): Promise<Result> {
  opening ??= open(Math.min(mostMemoryMb, memoryMb - ownMemoryMb) * 2 ** 20)
  const pdfium = await opening
  const result = await task(pdfium.library).catch((err: unknown) => {
    if (pdfium.hasTooLittle) return undefined
    if (err instanceof PdfToolFailed) throw err
    throw new PdfToolFailed({ reason: 'crashed', message: 'The program that draws PDFs has failed' }, { cause: err })
  })
  if (pdfium.hasTooLittle || result === undefined) {
    return refuse('out-of-memory', `To draw the PDF takes more than ${memoryMb} MiB of memory`)
  }
  return result
}

/** Throws PdfToolFailed: encrypted, unreadable. `what`: what messages call the PDF. */
export async function openDocument(library: PDFiumLibrary, pdf: Uint8Array, what: string): Promise<PDFiumDocument> {
  checkEnds(pdf, what)
  try {
    return await library.loadDocument(pdf)
  } catch (err) {
    // The errors of the library have no codes.
    const message = err instanceof Error ? err.message : ''
    if (message.startsWith('Password required')) refuse('encrypted', `${what} needs a password`)
    if (/^(File not|Unknown error|Unsupported security|Page not found)/.test(message)) {
      refuse('unreadable', `${what} cannot be read: ${message}`)
    }
    throw err
  }
}

/** `index`: from 0. Throws PdfToolFailed for a page that cannot be read: PDFium would draw nothing. */
export function openPage(document: PDFiumDocument, index: number, what: string): PDFiumPage {
  const page = document.getPage(index)
  const isRead = page.getOriginalSize().originalWidth > 0
  return isRead ? page : refuse('unreadable', `${what} cannot be read: its page ${index + 1} is damaged`)
}

type Instantiate = NonNullable<NonNullable<Parameters<typeof PDFiumLibrary.init>[0]>['instantiateWasm']>

/** The types of Node.js have the types of WebAssembly and no values. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: ReturnType<Instantiate> }
}

async function open(mostBytes: number): Promise<OpenPdfium> {
  let hasTooLittle = false
  const instantiateWasm: Instantiate = (imports, done) => {
    const { env = {} } = imports
    const grow = env.emscripten_resize_heap
    if (typeof grow !== 'function') throw new Error('PDFium has no emscripten_resize_heap, which limits its memory')
    env.emscripten_resize_heap = (bytes: number) => {
      const isGrown = bytes >>> 0 <= mostBytes && grow(bytes)
      if (!isGrown) hasTooLittle = true
      return isGrown
    }
    const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(program)), imports)
    // The types of the library name the module here; it reads the exports of the instance.
    done(instance as never)
    return instance.exports
  }
  const library = await PDFiumLibrary.init({ instantiateWasm })
  return {
    library,
    get hasTooLittle() {
      return hasTooLittle
    },
  }
}
