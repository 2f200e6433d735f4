import { randomBytes } from 'node:crypto'
import { pdfType } from '@platen/domain/generation/job-details.ts'
import { freshMs } from '@platen/domain/generation/object-retention.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import type { ObjectStore } from '@platen/object-store/object-store.ts'
import { type ObjectAccess, useObject } from './use-object.ts'

export interface PdfFilesOptions extends ObjectAccess {
  objects: ObjectStore
  /** A clock that continues while the process is suspended. */
  now: () => Date
}

const closeLimitMs = 5_000

/** The PDF files that this renderer writes. Disposal waits for the removal of those that were not recorded. */
export class PdfFiles implements AsyncDisposable {
  readonly #options: PdfFilesOptions
  readonly #discards = new Set<Promise<void>>()

  constructor(options: PdfFilesOptions) {
    this.#options = options
  }

  open(generationId: string): PdfFile {
    return new PdfFile(generationId, this.#options)
  }

  /** Removes a file that is not recorded, without waiting for the store. The sweep removes it if this fails. */
  discard(file: PdfFile): void {
    const { key } = file
    const discard = file
      .remove()
      .catch((err) => this.#options.log.warn({ err, key }, 'PDF was not recorded and could not be removed'))
      .finally(() => this.#discards.delete(discard))
    this.#discards.add(discard)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.race([Promise.all(this.#discards), sleep(closeLimitMs)])
  }
}

/** The file of one attempt to render a generation. No other attempt writes its key. */
export class PdfFile {
  readonly attempt = randomBytes(8).toString('hex')
  readonly key: string
  readonly #generation: string
  readonly #options: PdfFilesOptions
  #written: Promise<void> | undefined
  #writtenAt = 0

  constructor(generationId: string, options: PdfFilesOptions) {
    this.#generation = generationId
    this.#options = options
    this.key = objectKeys.pdf(generationId, this.attempt)
  }

  /** Retries while the object store is unavailable. Throws ObjectUnusable, and the reason of `signal`. */
  async write(bytes: Uint8Array, signal: AbortSignal, mediaType = pdfType): Promise<void> {
    const { objects, now } = this.#options
    const put = () => {
      this.#writtenAt = now().getTime()
      return objects.put(this.key, bytes, mediaType)
    }
    this.#written = useObject(this.#options, { key: this.key, generation: this.#generation, signal }, put)
    await this.#written
  }

  /** Whether the file may be recorded without writing it again. */
  get isFresh(): boolean {
    return this.#options.now().getTime() - this.#writtenAt < freshMs
  }

  async remove(): Promise<void> {
    if (this.#written === undefined) return
    // A write that failed may have succeeded in the store.
    await this.#written.catch(() => {})
    await this.#options.objects.delete(this.key)
  }
}
