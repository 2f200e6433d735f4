import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { DomainError, fail } from '@platen/domain/http/errors.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { FairThread } from '@platen/foundation/runtime/fair-thread.ts'
import type { BatchRecord } from '../views/batch-view.ts'
import { batchFiles, type FileSources } from './batch-files.ts'
import { completedItems } from './completed-items.ts'
import type { FindItem } from './find-item.ts'
import type { MergeResult, MergeTask } from './merge-protocol.ts'

/** Limits of the merged PDF. */
export const mergeLimits = { pages: 1_000, mib: 50 } as const
const timeoutMs = 60_000
const maxHeapMb = 768

/** Merges PDFs in a thread, one batch at a time: owners and their keys share it by the time that they use it. */
export class Merger implements AsyncDisposable {
  readonly #thread = new FairThread<MergeTask, MergeResult>({
    file: new URL('merge-worker.ts', import.meta.url),
    does: 'merges PDFs',
    first: { files: [], title: '' },
    timeoutMs,
    maxHeapMb,
    exceeded: () =>
      new DomainError('RENDER_LIMIT_EXCEEDED', `To merge these PDFs takes more than ${timeoutMs / 1_000} s`),
  })

  /** Throws RENDER_LIMIT_EXCEEDED, before anything is read, if there are too many pages or bytes. */
  async merge(stores: FileSources, batch: Pick<BatchRecord, 'id' | 'state'>, caller: Claim): Promise<Uint8Array> {
    await checkSize(stores.findItem, batch)
    const files: Uint8Array[] = []
    for await (const { input } of batchFiles(stores, batch)) files.push(await buffer(Readable.from(input)))
    if (files.length === 0) fail('FILE_DELETED', 'This batch has no PDFs, or they are no longer stored')
    const result = await this.#thread.run(caller, { files, title: batch.id })
    if ('failed' in result) fail('RENDER_FAILED', `The PDFs cannot be merged: ${result.failed}. Download the ZIP`)
    return result.pdf
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread[Symbol.asyncDispose]()
  }
}

/** The events of the generations say how large the files are. */
async function checkSize(findItem: FindItem, batch: Pick<BatchRecord, 'id' | 'state'>): Promise<void> {
  let pages = 0
  let bytes = 0
  for await (const { result } of completedItems(findItem, batch)) {
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
