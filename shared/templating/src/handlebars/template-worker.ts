import { Worker } from 'node:worker_threads'
import { limitThread } from '@platen/foundation/runtime/limit-thread.ts'
import { threadEnvironment } from '@platen/foundation/runtime/thread-environment.ts'
import { DomainError } from '../errors/errors.ts'
import type { Task, TaskResult, WorkerMessage } from './worker-protocol.ts'

export interface TemplateWorkerOptions {
  timeoutMs: number
  maxHeapMb: number
  /** Called when the worker can run a task. */
  onFree(): void
  /** Called when the thread has exited and its task is settled. `wasReady`: the thread had started completely. */
  onEnd(end: { wasReady: boolean; reason?: unknown }): void
}

interface Running {
  limit: Disposable
  settled: PromiseWithResolvers<TaskResult>
}

/** A worker thread that runs one task at a time. A task that exceeds its limits ends the thread. */
export class TemplateWorker {
  readonly #options: TemplateWorkerOptions
  readonly #thread: Worker
  #ready = false
  #running: Running | undefined
  #failure: unknown

  constructor(options: TemplateWorkerOptions) {
    this.#options = options
    this.#thread = new Worker(new URL('worker.ts', import.meta.url), {
      // Templates are untrusted: the thread gets neither the environment nor the flags of the process.
      env: threadEnvironment(),
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb, maxYoungGenerationSizeMb: 8 },
    })
    this.#thread.on('message', (message: WorkerMessage) => this.#onMessage(message))
    this.#thread.on('error', (err) => {
      this.#failure ??= isOutOfMemory(err) ? tooComplex(`needed more than ${options.maxHeapMb} MB of memory`) : err
    })
    this.#thread.once('exit', () => this.#onExit())
  }

  run(task: Task): Promise<TaskResult> {
    const settled = Promise.withResolvers<TaskResult>()
    const { timeoutMs } = this.#options
    const expire = () => void this.end(tooComplex(`took longer than ${timeoutMs} ms`))
    this.#running = { limit: limitThread(this.#thread, timeoutMs, expire), settled }
    try {
      this.#thread.postMessage(task)
    } catch (err) {
      // The data cannot be cloned, so nothing was sent.
      this.#release()?.settled.reject(err)
      this.#options.onFree()
    }
    return settled.promise
  }

  async end(reason?: unknown): Promise<void> {
    this.#failure ??= reason
    await this.#thread.terminate()
  }

  #onMessage(message: WorkerMessage): void {
    if (this.#failure !== undefined) return
    if (message.kind === 'ready') this.#ready = true
    const running = this.#release()
    if (message.kind === 'done') running?.settled.resolve(message.result)
    if (message.kind === 'failed') running?.settled.reject(DomainError.from(message.failure))
    this.#options.onFree()
  }

  #onExit(): void {
    this.#release()?.settled.reject(this.#failure ?? new Error('The template worker exited'))
    this.#options.onEnd({ wasReady: this.#ready, reason: this.#failure })
  }

  #release(): Running | undefined {
    const running = this.#running
    this.#running = undefined
    running?.limit[Symbol.dispose]()
    return running
  }
}

const tooComplex = (what: string) => new DomainError('TEMPLATE_TOO_COMPLEX', `The template ${what}`)

const isOutOfMemory = (err: unknown) => err instanceof Error && 'code' in err && err.code === 'ERR_WORKER_OUT_OF_MEMORY'
