import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PDFiumLibrary } from '@hyzyla/pdfium'

/**
 * Memory that PDFium may have in a thread. The largest picture takes 100 MB, and so does each transparent layer that is open on it:
 * a page of a hundred nested layers would take as much as PDFium can address, 2 GiB in each thread.
 */
const mostBytes = 2 ** 30
const program = fileURLToPath(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm'))

let library: Promise<PDFiumLibrary> | undefined

/**
 * Runs a task of this thread with PDFium. A task that fails may leave the memory of PDFium damaged or full, so the next
 * task gets a new PDFium.
 */
export async function withPdfium<Result>(task: (library: PDFiumLibrary) => Promise<Result>): Promise<Result> {
  library ??= PDFiumLibrary.init({ instantiateWasm: instantiateWithLimit })
  try {
    return await task(await library)
  } catch (err) {
    library = undefined
    throw err
  }
}

type Instantiate = NonNullable<NonNullable<Parameters<typeof PDFiumLibrary.init>[0]>['instantiateWasm']>

/** The types of Node.js have the types of WebAssembly and no values. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: ReturnType<Instantiate> }
}

const instantiateWithLimit: Instantiate = (imports, done) => {
  const { env = {} } = imports
  const grow = env.emscripten_resize_heap
  if (typeof grow !== 'function') throw new Error('PDFium has no emscripten_resize_heap, which limits its memory')
  env.emscripten_resize_heap = (bytes: number) => bytes >>> 0 <= mostBytes && grow(bytes)
  const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(program)), imports)
  // The types of the library name the module here; it reads the exports of the instance.
  done(instance as never)
  return instance.exports
}
