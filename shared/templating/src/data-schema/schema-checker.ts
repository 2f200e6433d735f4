import { Worker } from 'node:worker_threads'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import type { FieldProblem } from '@platen/foundation/errors/failure.ts'
import { step } from '@platen/foundation/json/compare-json.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { FairQueue } from '@platen/foundation/runtime/fair-queue.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { DomainError } from '../errors/errors.ts'
import type { SchemaResult, SchemaTask } from './worker-protocol.ts'

export interface SchemaCheckerOptions {
  /** For one task. */
  timeoutMs?: number
  maxHeapMb?: number
}

export interface CheckedValue {
  /** The name of the value in error messages: `data`. */
  name: string
  /** A text is the JSON of the value. */
  value: JsonObject | string
}

/**
 * Checks schemas and data in a worker thread, so that neither can hold the event loop. The thread is started when it is
 * needed first. Owners and their keys share it by the time that they use it.
 */
export interface SchemaChecker extends AsyncDisposable {
  /**
   * Throws VALIDATION_ERROR with the paths, such as `data.items[2].price`; `data_schema` for an invalid schema. Throws
   * TEMPLATE_TOO_COMPLEX if it takes too long.
   */
  check(caller: Claim, schema: JsonObject, values: readonly CheckedValue[]): Promise<void>
}

export function openSchemaChecker(options: SchemaCheckerOptions = {}): SchemaChecker {
  return new Checker(options)
}

class Checker implements SchemaChecker {
  readonly #options: SchemaCheckerOptions
  readonly #queue: FairQueue<'check'> = new FairQueue({
    kinds: ['check'],
    mayBegin: () => this.#queue.busy('check') === 0,
  })
  #worker: Worker | undefined
  #closed = false

  constructor(options: SchemaCheckerOptions) {
    this.#options = options
  }

  async check(caller: Claim, schema: JsonObject, values: readonly CheckedValue[]): Promise<void> {
    const texts = values.map(({ value }) => (typeof value === 'string' ? value : stringifyExact(value)))
    const task = { schema: stringifyExact(schema), texts }
    const result = await this.#run(caller, task)
    const problems = 'schema' in result ? [within('data_schema', result.schema)] : []
    if ('texts' in result) {
      for (const [at, { name }] of values.entries()) {
        problems.push(...(result.texts[at] ?? []).map((problem) => within(name, problem)))
      }
    }
    const [first] = problems
    if (first) throw new DomainError('VALIDATION_ERROR', `${first.path} ${first.message}`, { details: problems })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#queue.refuseAll(closed())
    await this.#worker?.terminate()
  }

  async #run(caller: Claim, task: SchemaTask): Promise<SchemaResult> {
    if (this.#closed) throw closed()
    using _turn = await this.#queue.take({ ...caller, kind: 'check' })
    const { timeoutMs = 1_000, maxHeapMb = 128 } = this.#options
    const worker = await this.#ready(maxHeapMb)
    const { promise, resolve, reject } = Promise.withResolvers<SchemaResult>()
    const onExit = () => reject(tooComplex(`needs more than ${maxHeapMb} MB of memory, or longer than ${timeoutMs} ms`))
    // If this process was blocked, the result may have arrived unread: give the event loop one more turn.
    const timer = setTimeout(() => setImmediate(() => void worker.terminate()), timeoutMs)
    worker.once('message', resolve).once('exit', onExit)
    worker.postMessage(task)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      worker.off('message', resolve).off('exit', onExit)
    }
  }

  /** The time that a thread needs to start is not that of a task. */
  async #ready(maxHeapMb: number): Promise<Worker> {
    if (this.#worker) return this.#worker
    const worker = new Worker(new URL('worker.ts', import.meta.url), {
      // Schemas are untrusted: the thread gets neither the environment nor the flags of the process.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 32 },
    })
    this.#worker = worker
    worker.once('exit', () => {
      this.#worker = undefined
    })
    // Without a listener the error of a thread would end the process. Its exit is what is waited for.
    worker.on('error', () => {})
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onExit = () => reject(new DependencyUnavailable('The worker that checks data does not start'))
    worker.once('message', resolve).once('exit', onExit)
    worker.postMessage({ schema: 'true', texts: [] } satisfies SchemaTask)
    await promise.finally(() => worker.off('message', resolve).off('exit', onExit))
    return worker
  }
}

function within(name: string, { path, message }: { path: string; message: string }): FieldProblem {
  if (path === '') return { path: name, message }
  return { path: path.startsWith('[') ? `${name}${path}` : `${name}.${path}`, message }
}

/** The name of a sample in error messages. */
export const sampleName = (name: string) => step('samples', name)

const tooComplex = (what: string) =>
  new DomainError('TEMPLATE_TOO_COMPLEX', `To check the data with data_schema ${what}`)
const closed = () => new DependencyUnavailable('The checker of data is closed')
