import { Readable } from 'node:stream'
import { fail } from '@platen/domain/http/errors.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import { PdfTools } from '@platen/pdf-tools/pdf-tools.ts'
import { limitCodeOf, PdfToolFailed } from '@platen/pdf-tools/task/pdf-tool-failed.ts'
import type { PdfSource } from '@platen/pdf-tools/task/task.ts'
import type { BatchRecord } from '../views/batch-view.ts'
import { batchFiles, type FileSources } from './batch-files.ts'
import { completedItems } from './completed-items.ts'
import type { FindItem } from './find-item.ts'

/** Limits of the merged PDF. */
export const mergeLimits = { pages: 1_000, mib: 50 } as const
const bounds = {
  timeoutMs: 60_000,
  memoryMb: 1_024,
  maxPages: mergeLimits.pages,
  // Each document gets an entry in the outline.
  maxBytes: 2 * mergeLimits.mib * 2 ** 20,
}

/** Merges PDFs in a process, one batch at a time: owners and their keys share it by the time that they use. */
export class Merger implements AsyncDisposable {
  readonly #tools = new PdfTools()

  /** Throws RENDER_LIMIT_EXCEEDED, before anything is read, if there are too many pages or bytes. */
  async merge(stores: FileSources, batch: Pick<BatchRecord, 'id' | 'state'>, caller: Claim): Promise<Uint8Array> {
    await checkSize(stores.findItem, batch)
    const sources: PdfSource[] = []
    for await (const { name, input } of batchFiles(stores, batch)) {
      sources.push({ name: name.replace(/\.pdf$/, ''), bytes: await readBytes(Readable.from(input)) })
    }
    if (sources.length === 0) fail('FILE_DELETED', 'This batch has no PDFs, or they are no longer stored')
    const steps = { metadata: { title: batch.id } }
    const task = { sources, files: {}, operation: { operation: 'merge', outline: true }, steps } as const
    const { files } = await this.#tools.run(task, bounds, { caller }).catch(refuse)
    return files[0]?.bytes ?? fail('RENDER_FAILED', 'The PDFs cannot be merged. Download the ZIP')
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#tools[Symbol.asyncDispose]()
  }
}

function refuse(err: unknown): never {
  if (!(err instanceof PdfToolFailed)) throw err
  const code = limitCodeOf(err.reason) ?? 'RENDER_FAILED'
  return fail(code, `The PDFs cannot be merged: ${err.message}. Download the ZIP`)
}

/** The events of the generations say how large the files are. */
async function checkSize(findItem: FindItem, batch: Pick<BatchRecord, 'id' | 'state'>): Promise<void> {
  let pages = 0
  let bytes = 0
  for await (const { index, result } of completedItems(findItem, batch)) {
    if (result.media_type !== undefined) {
      fail('RENDER_FAILED', `Item ${index} is no PDF but ${result.media_type}. Download the ZIP`)
    }
    pages += result.pages
    bytes += result.size
    if (pages > mergeLimits.pages || bytes > mergeLimits.mib * 2 ** 20) {
      const limits = `${mergeLimits.pages} pages and ${mergeLimits.mib} MiB`
      fail(
        'RENDER_LIMIT_EXCEEDED',
        `The PDFs of a batch can be merged up to ${limits}, and these have more. Download the ZIP`,
      )
    }
  }
}
