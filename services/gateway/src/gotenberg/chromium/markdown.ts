import { defined } from '@platen/foundation/json/defined.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { FairThread } from '@platen/foundation/runtime/fair-thread.ts'
import { tooManyRequests } from '../../limits/patience.ts'
import { Refused } from '../answers/refused.ts'

/** How long the Markdown of one request may take. */
const timeoutMs = 5_000
const maxHeapMb = 256
/** How long a request waits for the thread. */
const waitMs = 30_000

/** Converts Markdown in one thread, which owners and their keys share by the time that they use: a file may be made to take long. */
export class Markdown implements AsyncDisposable {
  readonly #thread = new FairThread<string[], string[]>({
    file: new URL('markdown-worker.ts', import.meta.url),
    does: 'converts Markdown',
    first: [],
    timeoutMs,
    maxHeapMb,
    exceeded: () => new Refused(400, 'The Markdown is nested too deeply, or takes too long to convert'),
  })

  /** The HTML of each text. Answers 400 for what ends the thread. */
  async convert(caller: Claim, texts: string[], signal?: AbortSignal): Promise<string[]> {
    if (texts.length === 0) return []
    const limit = { ms: waitMs, refusal: tooManyRequests }
    return this.#thread.run(caller, texts, { ...defined({ signal }), limit })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread[Symbol.asyncDispose]()
  }
}
