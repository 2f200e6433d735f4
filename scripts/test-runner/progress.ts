import { failureLines } from './failures.ts'
import type { FileResult } from './test-worker.ts'

interface ProgressOptions {
  files: readonly string[]
  times: ReadonlyMap<string, number>
  jobs: number
  isTerminal: boolean
  write(text: string): void
}

/** Tells how far a run is. A log gets a line for each file, a terminal one line that changes. Both get failures at once. */
export class Progress {
  readonly #options: ProgressOptions
  readonly #left: Set<string>
  readonly #startedAt = performance.now()
  #failed = 0
  /** Milliseconds of all files that have ended. */
  #spentMs = 0

  constructor(options: ProgressOptions) {
    this.#options = options
    this.#left = new Set(options.files)
  }

  show(result: FileResult): void {
    const { isTerminal, write } = this.#options
    this.#left.delete(result.file)
    this.#spentMs += result.ms
    if (!result.ok) this.#failed++
    if (isTerminal) write('\r\u001b[K')
    if (!isTerminal || !result.ok) write(`${result.ok ? 'ok    ' : 'FAILED'} ${lineOf(result)}\n`)
    if (!result.ok) write(`${failureLines(result).join('\n')}\n\n`)
    if (isTerminal) write(this.#left.size > 0 ? this.#status() : '')
  }

  #status(): string {
    const { files } = this.#options
    const done = files.length - this.#left.size
    return `${done} of ${files.length} files, ${this.#failed} failed, about ${minutes(this.#remainingMs())} left`
  }

  /** From the times of earlier runs. A file that has none takes as long as the mean of those that have ended. */
  #remainingMs(): number {
    const { files, times, jobs } = this.#options
    const mean = this.#spentMs / (files.length - this.#left.size)
    const expected = [...this.#left].reduce((sum, file) => sum + (times.get(file) ?? mean), 0)
    const atOnce = Math.max(1, Math.min(jobs, this.#spentMs / (performance.now() - this.#startedAt)))
    return expected / atOnce
  }
}

const inSeconds = (ms: number) => (ms / 1000).toFixed(1)
const minutes = (ms: number) => (ms < 90_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`)

/** A file with its seconds, and those of the processor. */
export function lineOf({ file, ms, cpuMs }: FileResult): string {
  return `${inSeconds(ms).padStart(6)} s  cpu ${inSeconds(cpuMs).padStart(5)} s  ${file}`
}
