import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { limitedCommand } from '@platen/foundation/runtime/limited-command.ts'
import { msPerTick, processStat } from '@platen/foundation/runtime/process-stat.ts'
import { threadEnvironment } from '@platen/foundation/runtime/thread-environment.ts'
import type { AnswerMessage, ChildMessage, TaskMessage } from '../task/messages.ts'
import { type Part, stepOf } from '../task/part.ts'
import { PdfToolFailed } from '../task/pdf-tool-failed.ts'
import type { PdfBounds } from '../task/task.ts'
import { isMemoryShort } from './group-memory.ts'
import { permissionFlags } from './permissions.ts'

/**
 * What Node.js reserves beside the memory of a task, and what that may grow by between two measurements: an allocation that
 * fails is taken for a damaged object.
 */
const ownMemoryMb = 1_024
const measureEveryMs = 50
const measureRestingEveryMs = 500
/** If this process is killed, nobody ends a task that never ends by itself but this limit. */
const maxCpuSeconds = 1_200
const pageBytes = 4_096
/** What every part of a task may take of a processor: this, or a share of the time of the task. */
const leastPartMs = 4_000
const partOfTask = 1 / 8

interface PartLimit {
  ms: number
  /** When it has taken too long, by the processor time of the process. */
  untilMs: number
}

/** The process of the PDF tools. It reads no files but its code, can neither write files nor start processes, and has no environment. */
export class Child {
  readonly #process: ChildProcess
  readonly #exited: Promise<void>
  /** How it has exited. */
  #exit: string | undefined
  /** Ends the task that is running. A reaction to `#exited` would hold each task as long as the process runs. */
  #onExit: ((how: string) => void) | undefined
  #errorOutput = ''
  #isKilled = false
  #resting: NodeJS.Timeout | undefined

  constructor(memoryMb: number) {
    const env = threadEnvironment()
    const flags = [...permissionFlags(env), '--no-warnings', `--max-old-space-size=${memoryMb}`]
    const limits = { memoryMb: memoryMb + ownMemoryMb, cpuSeconds: maxCpuSeconds, isFirstToEnd: true }
    const [shell, args] = limitedCommand(process.execPath, flags, limits)
    this.#process = fork(fileURLToPath(new URL('../run/main.ts', import.meta.url)), {
      execPath: shell,
      execArgv: args,
      env,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const { stderr } = this.#process
    stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#errorOutput = (this.#errorOutput + chunk).slice(-1_000)
    })
    this.#exited = new Promise((resolve) => {
      const exited = (how: string) => {
        this.#exit ??= how
        resolve()
        // The answer may have arrived unread: give the event loop one more turn.
        setImmediate(() => this.#onExit?.(how))
      }
      this.#process.once('exit', (code, signal) => exited(signal ?? `exit code ${code}`))
      this.#process.once('error', (err) => exited(err.message))
    })
    // A process that nobody waits for does not keep this one running.
    this.#process.unref()
    ;(stderr as Socket | null)?.unref()
    this.#process.channel?.unref()
  }

  get hasExited(): boolean {
    return this.#isKilled || this.#exit !== undefined || !this.#process.connected
  }

  /** Throws PdfToolFailed, and the reason of the signal. In both cases but an answer, the process is killed. */
  async run(message: TaskMessage, signal: AbortSignal | undefined): Promise<AnswerMessage> {
    clearInterval(this.#resting)
    const { promise, resolve, reject } = Promise.withResolvers<AnswerMessage>()
    let isOver = false
    const end = (failure: PdfToolFailed) => {
      if (isOver) return
      reject(failure)
      this.kill()
    }
    const abort = () => {
      reject(signal?.reason)
      this.kill()
    }
    const { timeoutMs, memoryMb } = message.bounds
    let part = this.#begun(stepOf(message.task), timeoutMs)
    // If this process was blocked, the answer may have arrived unread: give the event loop one more turn.
    const timer = setTimeout(() => setImmediate(() => end(outOfTime(timeoutMs))), timeoutMs)
    const measured = setInterval(() => {
      void this.#excess(memoryMb, () => part).then((failure) => failure && end(failure))
    }, measureEveryMs)
    this.#onExit = (how) => reject(this.#failureOf(how, message.bounds))
    if (this.#exit !== undefined) this.#onExit(this.#exit)
    const receive = (received: ChildMessage) => {
      if ('part' in received) part = this.#begun(received.part, timeoutMs)
      else resolve(received)
    }
    this.#process.on('message', receive)
    signal?.addEventListener('abort', abort, { once: true })
    this.#process.channel?.ref()
    try {
      // The process may have exited: its exit is the answer then.
      this.#process.send(message, () => {})
      return await promise
    } finally {
      isOver = true
      this.#onExit = undefined
      clearTimeout(timer)
      clearInterval(measured)
      signal?.removeEventListener('abort', abort)
      this.#process.off('message', receive)
      this.#process.channel?.unref()
    }
  }

  /** Resident memory that no file has, in MiB. 0 without /proc, where only the heap is bounded. */
  #memoryMb(): number {
    try {
      const measured = readFileSync(`/proc/${this.#process.pid}/statm`, 'utf8')
      const [, resident = 0, ofFiles = 0] = measured.split(' ').map(Number)
      return ((resident - ofFiles) * pageBytes) / 2 ** 20
    } catch {
      return 0
    }
  }

  /** Of all its threads. 0 without /proc, where only the time of the task is bounded. */
  #processorMs(): number {
    const [inUser = 0, inSystem = 0] = processStat(this.#process.pid).slice(11, 13).map(Number)
    return (inUser + inSystem) * msPerTick
  }

  #begun({ moreMs }: Part, timeoutMs: number): PartLimit {
    const ms = Math.max(leastPartMs, timeoutMs * partOfTask) + moreMs
    return { ms, untilMs: this.#processorMs() + ms }
  }

  async #excess(memoryMb: number, part: () => PartLimit): Promise<PdfToolFailed | undefined> {
    if (this.#processorMs() > part().untilMs) {
      // If this process was blocked, the begin of the next part may have arrived unread.
      await nextTurn()
      const { ms, untilMs } = part()
      if (this.#processorMs() > untilMs) return partTooLong(ms)
    }
    const usedMb = this.#memoryMb()
    if (usedMb > memoryMb) return outOfMemory(memoryMb)
    // One that holds less is not what takes the memory.
    return usedMb > memoryMb / 2 && (await isMemoryShort()) ? tooLittleMemory() : undefined
  }

  /** Whether it holds little memory, so that it may wait for the next task. */
  isSmall(limitMb: number): boolean {
    return this.#memoryMb() <= limitMb
  }

  /** Waits for the next task. It ends after this time, and as soon as memory is short. */
  rest(ms: number): void {
    const until = performance.now() + ms
    clearInterval(this.#resting)
    this.#resting = setInterval(
      async () => {
        if (performance.now() >= until || (await isMemoryShort())) this.kill()
      },
      Math.min(ms, measureRestingEveryMs),
    ).unref()
  }

  kill(): void {
    clearInterval(this.#resting)
    this.#isKilled = true
    this.#process.kill('SIGKILL')
  }

  /** Resolves when it has exited. */
  async end(): Promise<void> {
    this.#process.ref()
    this.kill()
    await this.#exited
  }

  #failureOf(how: string, { memoryMb }: PdfBounds): PdfToolFailed {
    if (/heap|memory/i.test(this.#errorOutput) || how === 'SIGABRT' || how === 'SIGTRAP') return outOfMemory(memoryMb)
    const cause = new Error(`the process of the PDF tools has ended (${how}): ${this.#errorOutput}`)
    return new PdfToolFailed({ reason: 'crashed', message: 'The program that processes PDFs has failed' }, { cause })
  }
}

const partTooLong = (ms: number) =>
  new PdfToolFailed({
    reason: 'out-of-time',
    message: `A page or a step of the PDF takes more than ${Math.round(ms / 1_000)} s of a processor`,
  })

const outOfTime = (ms: number) =>
  new PdfToolFailed({ reason: 'out-of-time', message: `To process the PDF takes more than ${ms / 1_000} s` })

const outOfMemory = (mb: number) =>
  new PdfToolFailed({ reason: 'out-of-memory', message: `To process the PDF takes more than ${mb} MiB of memory` })

const tooLittleMemory = () =>
  new PdfToolFailed({ reason: 'out-of-memory', message: 'There is too little memory left to process the PDF' })
