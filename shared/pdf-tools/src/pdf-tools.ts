import { FairQueue } from '@platen/foundation/runtime/fair-queue.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { Child } from './process/child.ts'
import { groupLimitMb } from './process/group-memory.ts'
import type { TaskMessage } from './task/messages.ts'
import { type PdfFailureReason, PdfToolFailed } from './task/pdf-tool-failed.ts'
import type { PdfBounds, PdfResult, PdfTask } from './task/task.ts'

export interface PdfToolsOptions {
  /** The most processes at once; default: 1. There are fewer if their memory does not fit the control group. */
  processes?: number
  /** A process without work for this time ends. */
  idleMs?: number
  /** A process ends after so many tasks. */
  maxTasks?: number
}

export interface RunOptions {
  signal?: AbortSignal | undefined
  /** Who waits: owners and their keys share the processes by the time that they use. */
  caller?: Claim
}

const nobody: Claim = { owner: '', key: '' }
/** A process that holds more after a task is ended, and gives its memory back. */
const keptMemoryMb = 256
/** A process that has run tasks for longer is ended: it has a limit of time on a processor, which the next task must not reach. */
const keptBusyMs = 300_000

/** What a process has of its control group: Chromium, Node.js and other processes of this kind need the rest. */
const shareOfGroup = 1 / 4
/** Of all processes of one PdfTools. */
const shareOfAll = 1 / 2
/** With less, Node.js with the code of the tools has too little for the least task. */
const leastMemoryMb = 192

interface Running {
  process: Child
  memoryMb: number
  tasks: number
  /** How long all of them took. */
  busyMs: number
}

/**
 * Runs tasks on PDFs in processes of their own, one at a time in each. They are the only ones that read PDFs. A process is started by a
 * task that finds none at rest, is reused while it is small and has not run for long, and is killed when a task exceeds its bounds or
 * nobody waits for it any more: then its memory is free before the next task begins.
 */
export class PdfTools implements AsyncDisposable {
  readonly #idleMs: number
  readonly #maxTasks: number
  readonly #processesWanted: number
  #maxProcesses = 1
  readonly #queue: FairQueue<'task'> = new FairQueue({
    kinds: ['task'],
    mayBegin: ({ kind }) => this.#queue.busy(kind) < this.#maxProcesses,
  })
  readonly #processes = new Set<Child>()
  /** Those without a task. The one that had the last task is the last. */
  readonly #resting: Running[] = []
  #isDisposed = false

  constructor({ processes = 1, idleMs = 60_000, maxTasks = 500 }: PdfToolsOptions = {}) {
    this.#processesWanted = processes
    this.#idleMs = idleMs
    this.#maxTasks = maxTasks
  }

  /** Throws PdfToolFailed, and the reason of the signal. */
  async run(task: PdfTask, given: PdfBounds, { signal, caller = nobody }: RunOptions = {}): Promise<PdfResult> {
    checkSources(task, given)
    const bounds = { ...given, memoryMb: fittingMemoryMb(given.memoryMb) }
    const fitting = Math.floor((groupLimitMb() * shareOfAll) / bounds.memoryMb)
    this.#maxProcesses = Math.max(1, Math.min(this.#processesWanted, fitting))
    using _turn = await this.#queue.take({ ...caller, kind: 'task' }, signal ? { signal } : {})
    if (this.#isDisposed) throw new Error('The PDF tools are closed')
    const startedAt = performance.now()
    const child = this.#take(bounds.memoryMb)
    const isReused = child.tasks > 0
    try {
      return await this.#runIn(child, { task, bounds }, signal)
    } catch (err) {
      // A process may exit because of the tasks before.
      if (!isReused || this.#isDisposed || !(err instanceof PdfToolFailed) || err.reason !== 'crashed') throw err
      const timeoutMs = Math.max(1, bounds.timeoutMs - (performance.now() - startedAt))
      return await this.#runIn(this.#start(bounds.memoryMb), { task, bounds: { ...bounds, timeoutMs } }, signal)
    }
  }

  async #runIn(child: Running, message: TaskMessage, signal: AbortSignal | undefined): Promise<PdfResult> {
    const startedAt = performance.now()
    let isSpent = true
    try {
      const answer = await child.process.run(message, signal)
      if ('failed' in answer) {
        isSpent = spent.has(answer.failed.reason)
        throw new PdfToolFailed(answer.failed)
      }
      isSpent = false
      return answer.result
    } finally {
      child.tasks += 1
      child.busyMs += performance.now() - startedAt
      await this.#keep(child, isSpent)
    }
  }

  /** Whether there is a process, which has a task or waits for one. */
  get isRunning(): boolean {
    return [...this.#processes].some((process) => !process.hasExited)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    this.#queue.refuseAll(new Error('The PDF tools are closed'))
    await Promise.all([...this.#processes].map((process) => process.end()))
  }

  #take(memoryMb: number): Running {
    for (let child = this.#resting.pop(); child; child = this.#resting.pop()) {
      if (!child.process.hasExited && child.memoryMb === memoryMb) return child
      void this.#end(child.process)
    }
    return this.#start(memoryMb)
  }

  #start(memoryMb: number): Running {
    const process = new Child(memoryMb)
    this.#processes.add(process)
    return { process, memoryMb, tasks: 0, busyMs: 0 }
  }

  async #keep(child: Running, isSpent: boolean): Promise<void> {
    const { process, tasks, busyMs } = child
    const isWorn = isSpent || process.hasExited || tasks >= this.#maxTasks || busyMs >= keptBusyMs
    if (isWorn || !process.isSmall(keptMemoryMb)) return this.#end(process)
    process.rest(this.#idleMs)
    this.#resting.push(child)
  }

  async #end(process: Child): Promise<void> {
    await process.end()
    this.#processes.delete(process)
  }
}

/** Failures after which a process may hold memory without use, or none that is left. */
const spent: ReadonlySet<PdfFailureReason> = new Set(['out-of-memory', 'crashed'])

function fittingMemoryMb(memoryMb: number): number {
  return Math.min(memoryMb, Math.max(leastMemoryMb, Math.floor(groupLimitMb() * shareOfGroup)))
}

function checkSources({ sources }: PdfTask, { maxBytes }: PdfBounds): void {
  const bytes = sources.reduce((sum, source) => sum + source.bytes.byteLength, 0)
  if (bytes <= maxBytes) return
  const message = `The PDFs have ${bytes} bytes, at most ${maxBytes} are processed at a time`
  throw new PdfToolFailed({ reason: 'too-large', message })
}
