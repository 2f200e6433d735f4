import { FairQueue } from '@platen/foundation/runtime/fair-queue.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { Child } from './process/child.ts'
import type { TaskMessage } from './task/messages.ts'
import { PdfToolFailed } from './task/pdf-tool-failed.ts'
import type { PdfBounds, PdfResult, PdfTask } from './task/task.ts'

export interface PdfToolsOptions {
  /** A process without work for this time ends. */
  idleMs?: number
  /** A process ends after so many tasks. */
  maxTasks?: number
}

export interface RunOptions {
  signal?: AbortSignal | undefined
  /** Who waits: owners and their keys share the process by the time that they use. */
  caller?: Claim
}

const nobody: Claim = { owner: '', key: '' }
/** A process that holds more after a task is ended, and gives its memory back. */
const keptMemoryMb = 256
/** A process that has run tasks for longer is ended: it has a limit of time on a processor, which the next task must not reach. */
const keptBusyMs = 300_000

interface Running {
  process: Child
  memoryMb: number
  tasks: number
  /** How long all of them took. */
  busyMs: number
}

/**
 * Runs tasks on PDFs in a process of its own, one at a time. The process is started by the first task, is reused while it
 * is small and has not run for long, and is killed when a task exceeds its bounds or nobody waits for it any more.
 */
export class PdfTools implements AsyncDisposable {
  readonly #idleMs: number
  readonly #maxTasks: number
  readonly #queue: FairQueue<'task'> = new FairQueue({
    kinds: ['task'],
    mayBegin: () => this.#queue.busy('task') === 0,
  })
  #child: Running | undefined
  #idle: NodeJS.Timeout | undefined
  #isDisposed = false

  constructor({ idleMs = 30_000, maxTasks = 500 }: PdfToolsOptions = {}) {
    this.#idleMs = idleMs
    this.#maxTasks = maxTasks
  }

  /** Throws PdfToolFailed, and the reason of the signal. */
  async run(task: PdfTask, bounds: PdfBounds, { signal, caller = nobody }: RunOptions = {}): Promise<PdfResult> {
    checkSources(task, bounds)
    using _turn = await this.#queue.take({ ...caller, kind: 'task' }, signal ? { signal } : {})
    if (this.#isDisposed) throw new Error('The PDF tools are closed')
    clearTimeout(this.#idle)
    const startedAt = performance.now()
    const child = this.#running(bounds.memoryMb)
    const isReused = child.tasks > 0
    try {
      return await this.#runIn(child, { task, bounds }, signal)
    } catch (err) {
      // A process may exit because of the tasks before.
      if (!isReused || this.#isDisposed || !(err instanceof PdfToolFailed) || err.reason !== 'crashed') throw err
      const timeoutMs = Math.max(1, bounds.timeoutMs - (performance.now() - startedAt))
      return await this.#runIn(this.#running(bounds.memoryMb), { task, bounds: { ...bounds, timeoutMs } }, signal)
    }
  }

  async #runIn(child: Running, message: TaskMessage, signal: AbortSignal | undefined): Promise<PdfResult> {
    const startedAt = performance.now()
    try {
      const answer = await child.process.run(message, signal)
      if ('failed' in answer) throw new PdfToolFailed(answer.failed)
      return answer.result
    } finally {
      child.tasks += 1
      child.busyMs += performance.now() - startedAt
      await this.#keep(child)
    }
  }

  /** Whether there is a process, which has a task or waits for one. */
  get isRunning(): boolean {
    return this.#child !== undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    clearTimeout(this.#idle)
    this.#queue.refuseAll(new Error('The PDF tools are closed'))
    await this.#child?.process.end()
  }

  #running(memoryMb: number): Running {
    if (this.#child && (this.#child.process.hasExited || this.#child.memoryMb !== memoryMb)) {
      this.#child.process.kill()
      this.#child = undefined
    }
    this.#child ??= { process: new Child(memoryMb), memoryMb, tasks: 0, busyMs: 0 }
    return this.#child
  }

  async #keep({ process, tasks, busyMs }: Running): Promise<void> {
    const isWorn = process.hasExited || tasks >= this.#maxTasks || busyMs >= keptBusyMs
    if (isWorn || !(await process.isSmall(keptMemoryMb))) {
      process.kill()
      this.#child = undefined
      return
    }
    this.#idle = setTimeout(() => {
      process.kill()
      this.#child = undefined
    }, this.#idleMs).unref()
  }
}

function checkSources({ sources }: PdfTask, { maxBytes }: PdfBounds): void {
  const bytes = sources.reduce((sum, source) => sum + source.bytes.byteLength, 0)
  if (bytes <= maxBytes) return
  const message = `The PDFs have ${bytes} bytes, at most ${maxBytes} are processed at a time`
  throw new PdfToolFailed({ reason: 'too-large', message })
}
