import { FairQueue } from '@platen/foundation/runtime/fair-queue.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { Child } from './process/child.ts'
import { PdfToolFailed } from './task/pdf-tool-failed.ts'
import type { PdfBounds, PdfResult, PdfTask } from './task/task.ts'

export interface PdfToolsOptions {
  /** A process without work for this time ends. */
  idleMs?: number
}

export interface RunOptions {
  signal?: AbortSignal | undefined
  /** Who waits: owners and their keys share the process by the time that they use. */
  caller?: Claim
}

const nobody: Claim = { owner: '', key: '' }
/** A process that holds more after a task is ended, and gives its memory back. */
const keptMemoryMb = 256

/**
 * Runs tasks on PDFs in a process of its own, one at a time. The process is started by the first task, is reused while it
 * is small, and is killed when a task exceeds its bounds or nobody waits for it any more.
 */
export class PdfTools implements AsyncDisposable {
  readonly #idleMs: number
  readonly #queue: FairQueue<'task'> = new FairQueue({
    kinds: ['task'],
    mayBegin: () => this.#queue.busy('task') === 0,
  })
  #child: { process: Child; memoryMb: number } | undefined
  #idle: NodeJS.Timeout | undefined
  #isDisposed = false

  constructor({ idleMs = 30_000 }: PdfToolsOptions = {}) {
    this.#idleMs = idleMs
  }

  /** Throws PdfToolFailed, and the reason of the signal. */
  async run(task: PdfTask, bounds: PdfBounds, { signal, caller = nobody }: RunOptions = {}): Promise<PdfResult> {
    checkSources(task, bounds)
    using _turn = await this.#queue.take({ ...caller, kind: 'task' }, signal ? { signal } : {})
    if (this.#isDisposed) throw new Error('The PDF tools are closed')
    clearTimeout(this.#idle)
    const process = this.#process(bounds.memoryMb)
    try {
      const answer = await process.run({ task, bounds }, signal)
      if ('failed' in answer) throw new PdfToolFailed(answer.failed)
      return answer.result
    } finally {
      await this.#keep(process)
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

  #process(memoryMb: number): Child {
    if (this.#child && (this.#child.process.hasExited || this.#child.memoryMb !== memoryMb)) {
      this.#child.process.kill()
      this.#child = undefined
    }
    this.#child ??= { process: new Child(memoryMb), memoryMb }
    return this.#child.process
  }

  async #keep(process: Child): Promise<void> {
    if (process.hasExited || !(await process.isSmall(keptMemoryMb))) {
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
