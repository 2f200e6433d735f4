import { type FileResult, TestWorker, type WorkerOptions } from './test-worker.ts'

export interface RunOptions extends WorkerOptions {
  /** Files at the same time. */
  jobs: number
  /** Ends the run: files that have not begun are not run. */
  signal: AbortSignal
  /** Whether a file needs a process of its own. */
  isAlone(file: string): boolean
  /** Whether a file keeps all cores busy: one of them runs at a time. */
  isHeavy(file: string): boolean
  onResult(result: FileResult): void
}

/** Runs the files in their order, with as many workers as jobs. Heavy ones come after each other. */
export async function runFiles(files: readonly string[], options: RunOptions): Promise<void> {
  const waiting = [...files]
  let heavy: string | undefined
  const next = () => {
    const at = waiting.findIndex((file) => heavy === undefined || !options.isHeavy(file))
    const [file] = at < 0 ? [] : waiting.splice(at, 1)
    if (file !== undefined && options.isHeavy(file)) heavy = file
    return file
  }
  const work = async () => {
    let worker: TestWorker | undefined
    // A worker for which only heavy files are left ends: who runs one takes the next.
    for (let file = next(); file !== undefined && !options.signal.aborted; file = next()) {
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
      if (heavy === file) heavy = undefined
    }
    await worker?.[Symbol.asyncDispose]()
  }
  await Promise.all(Array.from({ length: options.jobs }, work))
}
