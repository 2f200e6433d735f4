import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { limitedCommand } from '@platen/foundation/runtime/limited-command.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { BrowserLost } from './browser-errors.ts'
import { Connection } from './cdp/connection.ts'
import type { ProgramEnvironment } from './environment.ts'
import { measureProcesses, type ProcessGroup } from './process-group.ts'

export interface BrowserProcessOptions {
  executablePath: string
  environment: ProgramEnvironment
  flags: string[]
  /** Its user data folder, removed after the exit. */
  profile: string
  maxAnswerBytes: number
  /** The memory of each of its processes, in MiB. */
  documentMemoryMb: number
}

/** The exit status and the error output of an exited browser arrive within this time. */
const exitReportedWithinMs = 200
export const closeTimeoutMs = 2_000

/** The operating system process of a browser, with its connection. */
export class BrowserProcess {
  readonly connection: Connection
  readonly #child: ChildProcess
  readonly #profile: string
  readonly #gone = new AbortController()
  readonly #profileRemoved = Promise.withResolvers<void>()
  #errorOutput = ''

  constructor({
    executablePath,
    environment,
    flags,
    profile,
    maxAnswerBytes,
    documentMemoryMb,
  }: BrowserProcessOptions) {
    const child = spawn(...limitedCommand(executablePath, flags, { memoryMb: documentMemoryMb }), {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      env: environment,
      // A process group of its own, so that helper processes and the wrapper script can be killed with it.
      detached: true,
    })
    const [, , , input, output] = child.stdio as [null, null, Readable, Writable, Readable]
    this.#child = child
    this.#profile = profile
    this.connection = new Connection({ input, output, maxAnswerBytes })
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#errorOutput = (this.#errorOutput + chunk).slice(-1_000)
    })
    child.once('exit', (code, signal) => this.#end(exitError(code, signal)))
    child.once('error', (cause) => this.#end(new BrowserLost('the browser could not be executed', { cause })))
    this.connection.closed.addEventListener('abort', () => setTimeout(this.kill, exitReportedWithinMs), { once: true })
  }

  /** Aborts with BrowserLost when the process has exited. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  /** Measures the process and its helper processes. Undefined without /proc. */
  lookAtProcesses(known?: ProcessGroup): Promise<ProcessGroup | undefined> {
    return measureProcesses(this.#child.pid ?? 0, known)
  }

  /** Kills the process group. */
  readonly kill = (): void => {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL')
    } catch {
      // The process has exited.
    }
  }

  /** Asks the browser to exit and kills it if it does not. Resolves when its profile is removed. */
  async close(): Promise<void> {
    const late = setTimeout(this.kill, closeTimeoutMs)
    const asked = this.connection.browser.send('Browser.close').catch(() => {})
    await Promise.all([asked, this.#profileRemoved.promise])
    clearTimeout(late)
  }

  /** The end of the error output of a browser that has been killed or has exited. */
  async errorOutput(): Promise<string> {
    const { stderr } = this.#child
    if (stderr) await untilAborted(finished(stderr), AbortSignal.timeout(exitReportedWithinMs)).catch(() => {})
    return this.#errorOutput.trim() || 'no error output'
  }

  /** The browser writes console messages there: a malicious document logs hundreds of megabytes a second. */
  closeErrorOutput(): void {
    this.#child.stderr?.destroy()
  }

  #end(reason: BrowserLost): void {
    if (this.gone.aborted) return
    this.#gone.abort(reason)
    this.connection.close()
    // Helper processes may still be running.
    this.kill()
    rm(this.#profile, { recursive: true, force: true, maxRetries: 3 })
      .catch(() => {})
      .then(this.#profileRemoved.resolve)
  }
}

/** Documents cannot send signals: SIGKILL comes from the operating system, from an operator or from this process. */
function exitError(code: number | null, signal: NodeJS.Signals | null): BrowserLost {
  // A shell exits with 128 + the number of the signal that killed its child.
  const killed = signal === 'SIGKILL' || code === 128 + 9
  return new BrowserLost(`the browser exited with ${signal ?? `code ${code}`}`, { blameless: killed })
}
