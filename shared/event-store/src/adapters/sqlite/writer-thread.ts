import { Worker } from 'node:worker_threads'
import { type Appended, OutcomeUnknown } from '../../event-store.ts'
import type { Append, Written } from './stream-writer.ts'
import { errorOf, type WriteAnswer, type WriteRequest, type WriterSettings } from './writer-protocol.ts'

interface Waiting {
  append: Append
  resolve(appended: Appended): void
  reject(err: Error): void
}

/**
 * The writer of this process, on a worker thread: a commit waits for the disk, for ten milliseconds on some, and would
 * block the event loop.
 */
export class SqliteWriterThread {
  readonly #settings: WriterSettings
  readonly #onCommitted: (append: Append, written: Written) => void
  readonly #waiting = new Map<number, Waiting>()
  #thread: Worker | undefined
  #settled = Promise.withResolvers<void>()
  #lastId = 0

  constructor(settings: WriterSettings, onCommitted: (append: Append, written: Written) => void) {
    this.#settings = settings
    this.#onCommitted = onCommitted
    // Start the thread now, so that the first append does not wait for it.
    this.#running()
  }

  /** Throws WrongExpectedRevision, StoreUnavailable, OutcomeUnknown. */
  append(append: Append, timeoutMs: number): Promise<Appended> {
    const thread = this.#running()
    const id = ++this.#lastId
    if (this.#waiting.size === 0) {
      this.#settled = Promise.withResolvers()
      thread.ref()
    }
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { append, resolve, reject })
      thread.postMessage({ id, append, timeoutMs } satisfies WriteRequest)
    })
  }

  /** Waits for pending appends. */
  async close(): Promise<void> {
    if (this.#waiting.size > 0) await this.#settled.promise
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }

  #running(): Worker {
    if (this.#thread) return this.#thread
    const thread = new Worker(new URL('writer.ts', import.meta.url), { workerData: this.#settings })
    // The thread keeps the process alive only while appends are pending.
    thread.unref()
    thread.on('message', (answer: WriteAnswer) => this.#answer(answer))
    thread.on('error', (err) => this.#onExit(thread, err))
    thread.on('exit', () => this.#onExit(thread, new Error('the thread exited')))
    this.#thread = thread
    return thread
  }

  #answer(answer: WriteAnswer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if (this.#waiting.size === 0) this.#onIdle()
    if (!waiting) return
    if ('failure' in answer) {
      waiting.reject(errorOf(answer.failure, waiting.append.stream))
    } else {
      this.#onCommitted(waiting.append, answer)
      waiting.resolve(answer.appended)
    }
  }

  /** Rejects the pending appends. The next append starts another thread. */
  #onExit(thread: Worker, cause: Error): void {
    if (this.#thread !== thread) return
    this.#thread = undefined
    for (const { reject } of this.#waiting.values()) {
      reject(new OutcomeUnknown('The writer thread of the event store exited', { cause }))
    }
    this.#waiting.clear()
    this.#onIdle()
  }

  #onIdle(): void {
    this.#thread?.unref()
    this.#settled.resolve()
  }
}
