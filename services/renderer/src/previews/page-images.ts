import { fileURLToPath } from 'node:url'
import { previewLimits } from '@platen/domain/generation/preview.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { threadEnvironment } from '@platen/foundation/runtime/thread-environment.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import Tinypool from 'tinypool'

export interface PageImage {
  pdf: Uint8Array
  /** From 1. */
  page: number
  /** In pixels. */
  width: number
  maxPixels: number
}

/** A thread without work for this time ends, and gives back the memory of PDFium. */
const idleMs = 60_000

/**
 * Draws pages of printed PDFs with PDFium, in threads that are started when they are needed. A page can take as long as its
 * preview may, so there are as many threads as previews at once: no owner waits for the page of another one.
 */
export class PageImages implements AsyncDisposable {
  readonly #maxThreads: number
  #threads: Tinypool | undefined

  constructor(maxThreads: number) {
    this.#maxThreads = maxThreads
  }

  /** A PNG. Throws DomainError RENDER_LIMIT_EXCEEDED, and the reason of the signal. */
  async draw(image: Omit<PageImage, 'maxPixels'>, signal: AbortSignal): Promise<Uint8Array> {
    this.#threads ??= new Tinypool({
      filename: fileURLToPath(new URL('page-image-worker.ts', import.meta.url)),
      minThreads: 0,
      maxThreads: this.#maxThreads,
      idleTimeout: idleMs,
      env: threadEnvironment(),
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    const { pixels } = previewLimits
    const drawing: Promise<Uint8Array | undefined> = this.#threads.run({ ...image, maxPixels: pixels }, { signal })
    const png = await untilAborted(drawing, signal)
    return (
      png ?? fail('RENDER_LIMIT_EXCEEDED', `The picture of the page has more than ${pixels} pixels`, { limit: pixels })
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads?.destroy()
  }
}
