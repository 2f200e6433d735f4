import { fileURLToPath } from 'node:url'
import { threadEnvironment } from '@platen/foundation/runtime/thread-environment.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import Tinypool from 'tinypool'
import { type DocumentTexts, inspectTexts, type TextTraits } from './inspect-texts.ts'

/** Texts of this length are inspected in 20 ms in the worst case. Longer ones, up to 5 MiB, take up to two seconds. */
const maxInlineChars = 64 * 1024
/** A thread without work for this time ends. */
const idleMs = 60_000

/**
 * Inspects the texts of documents, long ones in worker threads, so that they do not hold the event loop: in the single
 * process it answers all requests.
 */
export class Inspector implements AsyncDisposable {
  readonly #threads: Tinypool

  constructor({ threads }: { threads: number }) {
    this.#threads = new Tinypool({
      filename: fileURLToPath(new URL('worker.ts', import.meta.url)),
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      // A thread needs neither the environment nor the flags of the process.
      env: threadEnvironment(),
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
    })
  }

  /** Rejects with the signal's reason when it aborts; a thread that has begun is stopped. */
  async inspect(texts: DocumentTexts, signal: AbortSignal): Promise<TextTraits> {
    const { html, headerHtml, footerHtml } = texts
    if (html.length + headerHtml.length + footerHtml.length <= maxInlineChars) return inspectTexts(texts)
    return await untilAborted(this.#threads.run(texts, { signal }), signal)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#threads.destroy()
  }
}
