import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cpuTime, killAll, type RunningProcess, relatedProcesses } from './processes.ts'
import type { EndedFile, RunFile, Skipped, TestCounts, WorkerMessage } from './worker.ts'

export interface FileResult {
  file: string
  ok: boolean
  ms: number
  /** Processor time of the file and of the processes that it started and that have ended. 0 where there is no /proc. */
  cpuMs: number
  counts: TestCounts
  skipped: readonly Skipped[]
  /** The TAP report. Empty if the process ended before the file did. */
  report: string
  /** Problems apart from failed assertions: how the process ended, and processes that the file left running. */
  problems: Readonly<Record<string, string>>
}

export interface WorkerOptions {
  env: NodeJS.ProcessEnv
  /** The limit for a file that sets none. */
  timeoutMs: number
}

const program = fileURLToPath(new URL('worker.ts', import.meta.url))
/** A file that has ended may still be closing its processes. */
const leaveMs = 5_000
/** How long a file that has reached its limit may take to report which test did not end. */
const reportMs = 5_000
const maxErrorLines = 30
/** The modules and the garbage of many files. Loading them again takes a second. */
const maxRssMb = 1_000

/** A process that runs test files one after another, and ends what they leave. */
export class TestWorker implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown[]>
  readonly #options: WorkerOptions
  #output = ''
  #isSpent = false

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#child = spawn(process.execPath, [program], {
      env: { ...options.env, TAP_TIMEOUT: '0' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#exited = once(this.#child, 'exit')
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-100_000)
      })
    }
  }

  /** No other file may be run: a failed file can leave anything behind, and memory grows. */
  get isSpent(): boolean {
    return this.#isSpent
  }

  /**
   * Runs a file, and kills and names the processes that remain of it. They fail the file unless it is alone in its process.
   * Never rejects.
   */
  async run(file: string, isAlone = false): Promise<FileResult> {
    const startedAt = performance.now()
    // In a test of the runner, its processes are also those of that test.
    const key = [this.#options.env.TAP_CHILD_KEY, randomUUID()].filter(Boolean).join('/')
    this.#output = ''
    const cpuMs = cpuTime(this.#child.pid)
    const { ended, limit } = await this.#ended({ file, timeoutMs: this.#options.timeoutMs, key })
    const isEnd = isAlone && ended?.ok === true
    const left = isEnd ? [] : await this.#leftRunning(key, ended)
    const problems = { ...this.#howItEnded(ended, limit), ...(isEnd ? {} : leftovers(ended, left)) }
    const ok = ended?.ok === true && Object.keys(problems).length === 0
    this.#isSpent = !ok || ended.rssMb > maxRssMb
    if (!ended) this.#child.kill('SIGKILL')
    const output = this.#output.trimEnd().split('\n').slice(-maxErrorLines).join('\n')
    return {
      file,
      ok,
      ms: ended?.ms ?? performance.now() - startedAt,
      cpuMs: Math.max(0, cpuTime(this.#child.pid) - cpuMs),
      counts: ended?.counts ?? { total: 0, pass: 0, fail: 0, skip: 0, todo: 0 },
      skipped: ended?.skipped ?? [],
      report: ended?.report ?? '',
      problems: ok || output === '' ? problems : { ...problems, output },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isSpent = true
    if (this.#child.connected) this.#child.disconnect()
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), leaveMs)
    const children = relatedProcesses({ ancestor: this.#child.pid })
    await this.#exited
    clearTimeout(timer)
    killAll(children)
  }

  /** What the file reported, or undefined if the process ended, or had to be given up. */
  async #ended(message: RunFile) {
    let limit = message.timeoutMs
    const { promise, resolve } = Promise.withResolvers<EndedFile | undefined>()
    const giveUpAfter = (ms: number) => setTimeout(resolve, ms + reportMs, undefined)
    let timer = giveUpAfter(limit)
    const listen = (message: WorkerMessage) => {
      if (message.type === 'ended') return resolve(message)
      // tap sends messages of its own.
      if (message.type !== 'limit') return
      clearTimeout(timer)
      limit = message.timeoutMs
      timer = giveUpAfter(limit)
    }
    this.#child.on('message', listen)
    if (this.#child.connected) this.#child.send(message, () => {})
    const ended = await Promise.race([promise, this.#exited.then(() => undefined)])
    this.#child.off('message', listen)
    clearTimeout(timer)
    return { ended, limit }
  }

  #howItEnded(ended: EndedFile | undefined, limitMs: number): Record<string, string> {
    if (ended) return {}
    const { exitCode, signalCode } = this.#child
    if (exitCode === null && signalCode === null) return { expired: `it did not end within ${limitMs / 1000} s` }
    return { ended: signalCode ? `by ${signalCode}` : `with exit code ${exitCode}` }
  }

  /** Processes of the file that are still running. They are killed. */
  async #leftRunning(key: string, ended: EndedFile | undefined): Promise<RunningProcess[]> {
    const ofFile = () => {
      const related = relatedProcesses({ ancestor: this.#child.pid, variable: `TAP_CHILD_KEY=${key}` })
      const shared = new Set(
        (ended?.shared ?? []).flatMap((pid) => relatedProcesses({ ancestor: pid })).map(({ pid }) => pid),
      )
      return related.filter(({ pid }) => pid !== this.#child.pid && !shared.has(pid))
    }
    const end = performance.now() + (ended ? leaveMs : 0)
    let left = ofFile()
    for (; left.length > 0 && performance.now() < end; left = ofFile()) await delay(20)
    killAll(left)
    return left
  }
}

function leftovers(ended: EndedFile | undefined, left: readonly RunningProcess[]): Record<string, string> {
  const processes = left.map(({ pid, command }) => `${pid} ${command}`).join('\n')
  const changed = (ended?.changed ?? []).join(', ')
  return { ...(processes && { 'left running': processes }), ...(changed && { 'left changed': changed }) }
}
