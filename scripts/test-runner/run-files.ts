import { type FileResult, TestWorker, type WorkerOptions } from './test-worker.ts'

export interface RunOptions extends WorkerOptions {
  /** Files at the same time. */
  jobs: number
  /** Ends the run: files that have not begun are not run. */
  signal: AbortSignal
  /** Whether a file needs a process of its own. */
  isAlone(file: string): boolean
  onResult(result: FileResult): void
}

/** Runs the files in their order, with as many workers as jobs. */
export async function runFiles(files: readonly string[], options: RunOptions): Promise<void> {
  const waiting = files.values()
  const work = async () => {
    let worker: TestWorker | undefined
    for (const file of waiting) {
      if (options.signal.aborted) break
      const isAlone = options.isAlone(file)
      if (isAlone) await worker?.[Symbol.asyncDispose]()
      if (isAlone || !worker || worker.isSpent) worker = new TestWorker(options)
      const running = worker
      const stop = () => void running[Symbol.asyncDispose]()
      options.signal.addEventListener('abort', stop)
      options.onResult(await worker.run(file, isAlone))
      options.signal.removeEventListener('abort', stop)
      if (isAlone || worker.isSpent) {
        await worker[Symbol.asyncDispose]()
        worker = undefined
      }
    }
    await worker?.[Symbol.asyncDispose]()
  }
  await Promise.all(Array.from({ length: options.jobs }, work))
}
