import { fileURLToPath } from 'node:url'
import { comparisonLimits } from '@platen/domain/generation/page-comparison.ts'
import { previewLimits } from '@platen/domain/generation/preview.ts'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import { threadEnvironment } from '@platen/foundation/runtime/thread-environment.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import Tinypool from 'tinypool'
import type { NeedsPassword, PagesToCompare } from './comparison/pages-to-compare.ts'

export interface PageImage {
  pdf: Uint8Array
  /** From 1. */
  page: number
  /** Width in pixels. */
  width: number
  maxPixels: number
}

const pageImage = fileURLToPath(new URL('page-image-worker.ts', import.meta.url))
const comparison = fileURLToPath(new URL('comparison/compare-pages-worker.ts', import.meta.url))

/** A thread without work for this time ends, and gives back the memory of PDFium. */
const idleMs = 60_000

/**
 * Draws and compares pages of printed PDFs with PDFium, in threads that are started on demand. A page may take as long
 * as its preview, so there are as many threads as concurrent previews: no owner waits for the page of another.
 */
export class PageImages implements AsyncDisposable {
  readonly #maxThreads: number
  #threads: Tinypool | undefined
  #isDisposed = false

  constructor(maxThreads: number) {
    this.#maxThreads = maxThreads
  }

  /** A PNG. Throws DomainError RENDER_LIMIT_EXCEEDED, and the reason of the signal. */
  async draw(image: Omit<PageImage, 'maxPixels'>, signal: AbortSignal): Promise<Uint8Array> {
    const { pixels } = previewLimits
    const png = await this.#run<Uint8Array>(pageImage, { ...image, maxPixels: pixels } satisfies PageImage, signal)
    return (
      png ?? fail('RENDER_LIMIT_EXCEEDED', `The picture of the page has more than ${pixels} pixels`, { limit: pixels })
    )
  }

  /** The JSON of ComparedPage[]. Throws DomainError RENDER_LIMIT_EXCEEDED, CONFLICT if a PDF needs a password, and the reason of the signal. */
  async compare(pages: Omit<PagesToCompare, 'limits'>, signal: AbortSignal): Promise<Uint8Array> {
    const limits = comparisonLimits
    const task = { ...pages, limits } satisfies PagesToCompare
    const json = await this.#run<Uint8Array | NeedsPassword>(comparison, task, signal)
    if (json && 'needsPassword' in json)
      return fail('CONFLICT', `The PDF of \`${json.needsPassword}\` needs a password, so its pages cannot be compared`)
    if (json) return json
    const limit = limits.imagesBytes
    const message = `The images of the pages have more than ${limit / 2 ** 20} MiB; leave out images, and get those of single pages with POST /v1/preview`
    return fail('RENDER_LIMIT_EXCEEDED', message, { limit })
  }

  /**
   * Runs a task in a thread. The thread is ended when nobody waits for the task any more. Throws RENDER_LIMIT_EXCEEDED if
   * PDFium fails at a page that Chromium has printed, which only happens if there is not enough memory.
   */
  async #run<Result>(filename: string, task: object, signal: AbortSignal): Promise<Result | undefined> {
    this.#threads ??= new Tinypool({
      filename,
      minThreads: 0,
      maxThreads: this.#maxThreads,
      idleTimeout: idleMs,
      env: threadEnvironment(),
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 },
    })
    const running: Promise<Result | undefined> = this.#threads.run(task, { filename, signal })
    return await untilAborted(running, signal).catch((err) => {
      signal.throwIfAborted()
      if (this.#isDisposed) throw err
      const message = 'The pages need more memory than there is to draw them; use fewer or smaller pictures'
      throw new DomainError('RENDER_LIMIT_EXCEEDED', message, { cause: err })
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    await this.#threads?.destroy()
  }
}
