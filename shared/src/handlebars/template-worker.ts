import { Worker } from 'node:worker_threads'
import { DomainError } from '../runtime/errors.ts'
import type { Task, WorkerMessage } from './worker-protocol.ts'

export interface TemplateWorkerOptions {
  timeoutMs: number
  maxHeapMb: number
  /** It can take a task. */
  onFree(): void
  /** It has ended, asked to or not, and settled what it held. `wasReady`: it had once begun to work. */
  onEnd(end: { wasReady: boolean; reason?: unknown }): void
}

interface Held {
  timer: NodeJS.Timeout
  settled: PromiseWithResolvers<Record<string, string>>
}

/** One thread that runs one task at a time, and is ended by one that takes too long. */
export class TemplateWorker {
  readonly #options: TemplateWorkerOptions
  readonly #thread: Worker
  #ready = false
  #held: Held | undefined
  #failure: unknown

  constructor(options: TemplateWorkerOptions) {
    this.#options = options
    this.#thread = new Worker(new URL('worker.ts', import.meta.url), {
      // Templates are others' code: the thread sees neither the environment nor the flags of the process.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb, maxYoungGenerationSizeMb: 32 },
    })
    this.#thread.on('message', (message: WorkerMessage) => this.#hear(message))
    this.#thread.on('error', (err) => {
      this.#failure ??= isOutOfMemory(err) ? tooComplex(`needed more than ${options.maxHeapMb} MB of memory`) : err
    })
    this.#thread.once('exit', () => this.#end())
  }

  run(task: Task): Promise<Record<string, string>> {
    const settled = Promise.withResolvers<Record<string, string>>()
    // When this process itself was held up, the answer may lie unread: one turn of the loop brings it.
    const timer = setTimeout(() => setImmediate(() => this.#expire(held)), this.#options.timeoutMs)
    const held = { timer, settled }
    this.#held = held
    try {
      this.#thread.postMessage(task)
    } catch (err) {
      // Nothing was sent: such data cannot be cloned.
      this.#release()?.settled.reject(err)
      this.#options.onFree()
    }
    return settled.promise
  }

  async end(reason?: unknown): Promise<void> {
    this.#failure ??= reason
    await this.#thread.terminate()
  }

  #hear(message: WorkerMessage): void {
    if (this.#failure !== undefined) return
    if (message.kind === 'ready') this.#ready = true
    const held = this.#release()
    if (message.kind === 'done') held?.settled.resolve(message.rendered)
    if (message.kind === 'failed') held?.settled.reject(DomainError.from(message.failure))
    this.#options.onFree()
  }

  #expire(held: Held): void {
    if (this.#held === held) void this.end(tooComplex(`took longer than ${this.#options.timeoutMs} ms`))
  }

  #end(): void {
    this.#release()?.settled.reject(this.#failure ?? new Error('The template worker ended'))
    this.#options.onEnd({ wasReady: this.#ready, reason: this.#failure })
  }

  #release(): Held | undefined {
    const held = this.#held
    this.#held = undefined
    clearTimeout(held?.timer)
    return held
  }
}

const tooComplex = (what: string) => new DomainError('TEMPLATE_TOO_COMPLEX', `The template ${what}`)

const isOutOfMemory = (err: unknown) => err instanceof Error && 'code' in err && err.code === 'ERR_WORKER_OUT_OF_MEMORY'
