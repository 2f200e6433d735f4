import { DomainError } from '@platen/domain/http/errors.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { parseExact } from '@platen/foundation/json/exact-json.ts'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import type { Patience } from '@platen/foundation/runtime/fair-queue.ts'
import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import { FairThread } from '@platen/foundation/runtime/fair-thread.ts'
import type { BodyResult, BodyTask } from './body-protocol.ts'

/** The result of reading a body in a thread. */
export interface LargeBody {
  /** The fields that are in `jsons` have no values here. */
  value: unknown
  jsons: Readonly<Record<string, string>>
  sha256: string | undefined
  /** Of an item of a batch. */
  fileName: string | undefined
}

const maxHeapMb = 256

/** Reads large bodies in a thread. What the event loop does for one grows with its bytes, not with its values. */
export class BodyReader implements AsyncDisposable {
  readonly #thread: FairThread<BodyTask, BodyResult>

  /** `timeoutMs`: many times what the largest body takes. */
  constructor({ timeoutMs = 10_000 }: { timeoutMs?: number } = {}) {
    this.#thread = new FairThread({
      file: new URL('body-worker.ts', import.meta.url),
      does: 'reads large bodies',
      first: { bytes: Buffer.from('0'), schema: {}, textFields: [], isHashed: false },
      timeoutMs,
      maxHeapMb,
      exceeded: () => new DependencyUnavailable(`The request body was not read within ${timeoutMs} ms`),
    })
  }

  /** `task.bytes` are moved to the thread if they are all of their buffer. Throws the errors of `parseBody`. */
  async read(caller: Claim, task: BodyTask, patience: Patience): Promise<LargeBody> {
    const { buffer, byteLength } = task.bytes
    const transfer = byteLength === buffer.byteLength && buffer instanceof ArrayBuffer ? [buffer] : []
    const result = await this.#thread.run(caller, task, { ...patience, transfer })
    if ('failure' in result) throw DomainError.from(result.failure)
    const { texts, rest, jsons, sha256, fileName } = result.body
    const value = parseExact(rest)
    return { value: isJsonObject(value) ? { ...value, ...texts } : value, jsons, sha256, fileName }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread[Symbol.asyncDispose]()
  }
}
