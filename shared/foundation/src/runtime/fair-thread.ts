import { type Transferable, Worker } from 'node:worker_threads'
import { DependencyUnavailable } from '../errors/errors.ts'
import { FairQueue, type Patience } from './fair-queue.ts'
import type { Claim } from './fair-shares.ts'
import { limitThread } from './limit-thread.ts'
import { threadEnvironment } from './thread-environment.ts'

export interface FairThreadOptions<Task> {
  /** The file that the thread runs. It answers each message with one. */
  file: URL
  /** The work of the thread, in messages: `checks data`. */
  does: string
  /** A small task: the time that a thread needs to start is not that of the first one. */
  first: Task
  /** Time limit of one task. */
  timeoutMs: number
  maxHeapMb: number
  /** The error of a task that took too long or needed too much memory. */
  exceeded: () => Error
}

export interface FairTask extends Patience {
  /** Objects that are moved to the thread instead of copied. */
  transfer?: readonly Transferable[]
}

/**
 * A worker thread for work that would hold the event loop, one task at a time. Owners and their keys share it by the
 * time that they use. It is started on demand, and again after a task that has exceeded its limits.
 */
export class FairThread<Task, Result> implements AsyncDisposable {
  readonly #options: FairThreadOptions<Task>
  readonly #queue: FairQueue<'task'> = new FairQueue({
    kinds: ['task'],
    mayBegin: () => this.#queue.busy('task') === 0,
  })
  #worker: Worker | undefined
  #closed = false

  constructor(options: FairThreadOptions<Task>) {
    this.#options = options
  }

  async run(caller: Claim, task: Task, { transfer = [], ...patience }: FairTask = {}): Promise<Result> {
    if (this.#closed) throw this.#unavailable('is closed')
    using _turn = await this.#queue.take({ ...caller, kind: 'task' }, patience)
    const { timeoutMs, exceeded } = this.#options
    const worker = await this.#ready()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const onExit = () => reject(exceeded())
    using _limit = limitThread(worker, timeoutMs, () => void worker.terminate())
    worker.once('message', resolve).once('exit', onExit)
    worker.postMessage(task, [...transfer])
    try {
      return await promise
    } finally {
      worker.off('message', resolve).off('exit', onExit)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#queue.refuseAll(this.#unavailable('is closed'))
    await this.#worker?.terminate()
  }

  async #ready(): Promise<Worker> {
    if (this.#worker) return this.#worker
    const { file, first, maxHeapMb } = this.#options
    const worker = new Worker(file, {
      // The input is untrusted, so the thread gets neither the environment nor the flags of the process.
      env: threadEnvironment(),
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 8 },
    })
    this.#worker = worker
    worker.once('exit', () => {
      this.#worker = undefined
    })
    // Without this listener an error in the thread would end the process. The exit of the thread is handled below.
    worker.on('error', () => {})
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onExit = () => reject(this.#unavailable('does not start'))
    worker.once('message', () => resolve()).once('exit', onExit)
    worker.postMessage(first)
    await promise.finally(() => worker.off('exit', onExit))
    return worker
  }

  #unavailable(what: string): DependencyUnavailable {
    return new DependencyUnavailable(`The thread that ${this.#options.does} ${what}`)
  }
}
