import { DomainError } from '@platen/domain/http/errors.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { FairThread } from '@platen/foundation/runtime/fair-thread.ts'
import { largeBytes } from '../http/plugins/json-parser.ts'
import { patience } from '../limits/patience.ts'
import { type ContentReferences, contentReferences, mayRefer, type TypedContent } from './content-references.ts'

const timeoutMs = 10_000
const maxHeapMb = 256

/** Finds what uploads refer to. Large ones are read in a thread, which owners and their keys share by the time that they use. */
export class ContentReader implements AsyncDisposable {
  readonly #thread = new FairThread<TypedContent, ContentReferences>({
    file: new URL('content-worker.ts', import.meta.url),
    does: 'reads uploads',
    first: { type: '', bytes: new Uint8Array() },
    timeoutMs,
    maxHeapMb,
    exceeded: () => new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The file takes too long to read; make it smaller'),
  })

  /** Throws UNSUPPORTED_MEDIA_TYPE for what ends the thread, and CONCURRENCY_LIMIT_EXCEEDED. */
  async references(caller: Claim, content: TypedContent): Promise<ContentReferences> {
    const { type, bytes } = content
    if (!mayRefer(type) || bytes.byteLength <= largeBytes) return contentReferences(content)
    return this.#thread.run(caller, content, { limit: patience })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread[Symbol.asyncDispose]()
  }
}
