import type { FieldProblem } from '@platen/foundation/errors/failure.ts'
import { step } from '@platen/foundation/json/compare-json.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { FairThread } from '@platen/foundation/runtime/fair-thread.ts'
import { DomainError } from '../errors/errors.ts'
import type { SchemaResult, SchemaTask } from './worker-protocol.ts'

export interface SchemaCheckerOptions {
  /** Time limit of one task. */
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
  check(caller: Claim, schema: JsonObject, values: readonly CheckedValue[], options?: CheckOptions): Promise<void>
}

export interface CheckOptions {
  /** The schema is being saved: words without an effect are refused. */
  saving?: boolean
}

export function openSchemaChecker(options: SchemaCheckerOptions = {}): SchemaChecker {
  return new Checker(options)
}

class Checker implements SchemaChecker {
  readonly #thread: FairThread<SchemaTask, SchemaResult>

  constructor({ timeoutMs = 1_000, maxHeapMb = 128 }: SchemaCheckerOptions) {
    const limits = { timeoutMs, maxHeapMb }
    const exceeded = () =>
      new DomainError(
        'TEMPLATE_TOO_COMPLEX',
        `To check the data with data_schema needs more than ${maxHeapMb} MB of memory, or longer than ${timeoutMs} ms`,
      )
    const file = new URL('worker.ts', import.meta.url)
    const first = { schema: 'true', texts: [] }
    this.#thread = new FairThread({ file, does: 'checks data', first, ...limits, exceeded })
  }

  async check(
    caller: Claim,
    schema: JsonObject,
    values: readonly CheckedValue[],
    { saving = false }: CheckOptions = {},
  ): Promise<void> {
    const texts = values.map(({ value }) => (typeof value === 'string' ? value : stringifyExact(value)))
    const result = await this.#thread.run(caller, { schema: stringifyExact(schema), texts, saving })
    const problems = 'schema' in result ? result.schema.map((problem) => within('data_schema', problem)) : []
    if ('texts' in result) {
      for (const [at, { name }] of values.entries()) {
        problems.push(...(result.texts[at] ?? []).map((problem) => within(name, problem)))
      }
    }
    const [first] = problems
    if (first) throw new DomainError('VALIDATION_ERROR', `${first.path} ${first.message}`, { details: problems })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread[Symbol.asyncDispose]()
  }
}

function within(name: string, { path, message }: { path: string; message: string }): FieldProblem {
  if (path === '') return { path: name, message }
  return { path: path.startsWith('[') ? `${name}${path}` : `${name}.${path}`, message }
}

/** The values that a template's schema is checked with: its samples, and its sample data if there are some. */
export function sampleValues(
  sampleData: JsonObject = {},
  samples: Readonly<Record<string, JsonObject>> = {},
): CheckedValue[] {
  const values = Object.entries(samples).map(([name, value]) => ({ name: step('samples', name), value }))
  return Object.keys(sampleData).length > 0 ? [{ name: 'sample_data', value: sampleData }, ...values] : values
}
