import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { FairQueue } from '@platen/foundation/runtime/fair-queue.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import type { Logger } from 'pino'
import { DomainError } from '../errors/errors.ts'
import type { PartialCalls } from './inspect-template.ts'
import type { LanguageOptions } from './language.ts'
import { TemplateWorker } from './template-worker.ts'
import type { Dictionaries } from './translations.ts'
import type { Filled, Task, TaskResult } from './worker-protocol.ts'

export interface TemplateEngineOptions {
  /** The most threads. The first starts at once, each other one when a task waits. */
  workers?: number
  /** Time limit of one job with all its sources. */
  timeoutMs?: number
  maxHeapMb?: number
  /** Whether templates may have helpers of their own, which are scripts. Default: false. */
  ownHelpers?: boolean
  log?: Pick<Logger, 'warn'>
}

export interface TemplateJob {
  /** Sources by the name used in error messages: `html`, `header_html`, `footer_html`. */
  sources: Record<string, string>
  /** The sources of the partials that they call, by name. */
  partials?: Readonly<Record<string, string>> | undefined
  /** A text is the JSON of the data. To parse large data, or to copy them to a thread, holds the event loop. */
  data: JsonObject | string
  /** The result of the helper `now`. Default: the current time. */
  now?: Date
  /** A value that is printed and not in the data is a TEMPLATE_RENDER_ERROR instead of a warning. Default: false. */
  strict?: boolean
  /** The locale and time zone of helpers: values, or paths of the data. */
  language?: LanguageOptions
  /** The texts of {{t}}, by language and key. */
  translations?: Dictionaries
  /** The script of the template, which exports its own helpers. */
  helpers?: string | undefined
  /** See TemplateCaller. */
  caller?: Claim
}

export interface TemplateCaller {
  /** Owners and their keys share the workers by the time that they use them. While others compete, each leaves them a worker. */
  caller?: Claim
}

export interface TemplateCheck extends TemplateCaller {
  /** The name of the source in messages. Default: `html`. */
  name?: string
  /** The script of the template, which is checked, too. */
  helpers?: string | undefined
}

/** Compiles and runs templates in worker threads, with limits on time, memory and output. */
export interface TemplateEngine extends AsyncDisposable {
  /**
   * Returns the partials that the source calls; whether they exist is not checked. Throws TEMPLATE_SYNTAX_ERROR (details
   * `{source, line, column, excerpt}`), TEMPLATE_RENDER_ERROR for unknown helpers, or TEMPLATE_TOO_COMPLEX.
   */
  check(source: string, options?: TemplateCheck): Promise<PartialCalls>
  /** Throws the errors of `check`, and RENDER_LIMIT_EXCEEDED. */
  render(job: TemplateJob): Promise<Filled>
  close(): Promise<void>
}

const restartDelayMs = 1_000
const minHeapMb = 16

export function openTemplateEngine(options: TemplateEngineOptions = {}): TemplateEngine {
  // With a very small heap V8 aborts the whole process instead of the thread.
  if (options.maxHeapMb !== undefined && options.maxHeapMb < minHeapMb) {
    throw new RangeError(`maxHeapMb must be ${minHeapMb} or more, not ${options.maxHeapMb}`)
  }
  return new Engine(options)
}

const nobody: Claim = { owner: '', key: '' }

class Engine implements TemplateEngine {
  readonly #options: TemplateEngineOptions
  readonly #most: number
  readonly #workers = new Set<TemplateWorker>()
  /** The threads that have started. */
  readonly #ready = new Set<TemplateWorker>()
  /** Threads without a task. */
  readonly #free: TemplateWorker[] = []
  readonly #queue: FairQueue<'task'> = new FairQueue({
    kinds: ['task'],
    mayBegin: (claim) =>
      this.#queue.busy('task') < this.#ready.size && this.#queue.shares.mayHaveMore(claim, Math.max(1, this.#most - 1)),
  })
  readonly #restarts = new Set<NodeJS.Timeout>()
  #closed = false

  constructor(options: TemplateEngineOptions) {
    this.#options = options
    this.#most = options.workers ?? 2
    this.#startWorker()
  }

  async check(source: string, { caller = nobody, name = 'html', helpers }: TemplateCheck = {}): Promise<PartialCalls> {
    const result = await this.#run(caller, { kind: 'check', source, name, helpers })
    return 'partials' in result ? result.partials : { calls: [], defined: [] }
  }

  async render(job: TemplateJob): Promise<Filled> {
    const { sources, partials, data, now = new Date(), strict = false, language, translations, helpers } = job
    const { caller = nobody } = job
    const task = {
      kind: 'render' as const,
      sources,
      data,
      now,
      strict,
      ...defined({ partials, language, translations }),
      helpers,
    }
    const result = await this.#run(caller, task)
    return 'filled' in result ? result.filled : { texts: {}, warnings: [] }
  }

  async close(): Promise<void> {
    this.#closed = true
    const reason = closed()
    for (const timer of this.#restarts) clearTimeout(timer)
    this.#queue.refuseAll(reason)
    await Promise.all(Array.from(this.#workers, (worker) => worker.end(reason)))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #run(caller: Claim, task: Task): Promise<TaskResult> {
    if (this.#closed) throw closed()
    if (task.helpers !== undefined && !this.#options.ownHelpers) throw ownHelpersAreOff()
    const turn = this.#queue.take({ ...caller, kind: 'task' })
    this.#startAnother()
    using _turn = await turn
    const worker = this.#free.pop()
    if (!worker) throw new DependencyUnavailable('No template worker is free')
    return await worker.run(task)
  }

  /** Starts a thread if a task waits and all threads are busy. */
  #startAnother(): void {
    const { size } = this.#workers
    const areBusy = this.#queue.waiting('task') > 0 && this.#ready.size === size
    if (areBusy && size + this.#restarts.size < this.#most) this.#startWorker()
  }

  #startWorker(): void {
    const { timeoutMs = 2_000, maxHeapMb = 256 } = this.#options
    const worker = new TemplateWorker({
      timeoutMs,
      maxHeapMb,
      onFree: () => {
        this.#ready.add(worker)
        this.#free.push(worker)
        this.#queue.admit()
        this.#startAnother()
      },
      onEnd: ({ wasReady, reason }) => this.#replace(worker, wasReady, reason),
    })
    this.#workers.add(worker)
  }

  #replace(worker: TemplateWorker, wasReady: boolean, err: unknown): void {
    this.#workers.delete(worker)
    this.#ready.delete(worker)
    const at = this.#free.indexOf(worker)
    if (at !== -1) this.#free.splice(at, 1)
    if (this.#closed) return
    this.#options.log?.warn({ err }, 'template worker exited, starting another')
    if (wasReady) {
      this.#startWorker()
      return
    }
    // The worker failed before it was ready: reject the waiting jobs and restart with a delay.
    if (this.#workers.size === 0) {
      const reason = new DependencyUnavailable('The template workers cannot start', { cause: err })
      this.#queue.refuseAll(reason)
    }
    const timer = setTimeout(() => {
      this.#restarts.delete(timer)
      this.#startWorker()
    }, restartDelayMs)
    this.#restarts.add(timer)
  }
}

const ownHelpersAreOff = () =>
  new DomainError(
    'TEMPLATE_RENDER_ERROR',
    'helpers: own helpers are off here; the setting OWN_HELPERS=on allows them',
    {
      details: { source: 'helpers', setting: 'OWN_HELPERS' },
    },
  )

const closed = () => new DependencyUnavailable('The template engine is closed')
