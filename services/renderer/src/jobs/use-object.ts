import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { backoffMs, sleep } from '@platen/foundation/runtime/sleep.ts'
import { Released } from '@platen/messaging/consume/consume.ts'
import { type ObjectStore, ObjectStoreUnavailable } from '@platen/object-store/object-store.ts'
import type { ObjectWaits } from './object-waits.ts'

/** One object cannot be read or written, while the object store answers otherwise. */
export class ObjectUnusable extends Error {
  override readonly name = 'ObjectUnusable'
}

export interface ObjectAccess {
  objects: Pick<ObjectStore, 'check'>
  waits: ObjectWaits
  log: Pick<Logger, 'warn'>
  /** Ends the wait. The last ObjectStoreUnavailable is thrown. */
  stopping: AbortSignal
}

export interface ObjectUse {
  key: string
  /** The id of the generation, for the log. */
  generation: string
  /** Ends the wait. Its reason is thrown. */
  signal: AbortSignal
  /** The longest wait in an outage; then Released is thrown. Default: no limit. */
  maxWaitMs?: number
}

/** If the store passes its check but the object fails this often, further attempts are left to a later delivery. */
const maxAttempts = 3

/** The pause until a message that was released in an outage is delivered again. */
const releasedMs = 5_000

/**
 * Repeats `use` while the object store is unavailable. If the store passes its check and `use` still fails, throws
 * ObjectUnusable after some attempts: the object is at fault, and other work must not wait for it.
 */
export async function useObject<Result>(
  { objects, waits, log, stopping }: ObjectAccess,
  { key, generation, signal, maxWaitMs = Number.POSITIVE_INFINITY }: ObjectUse,
  use: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now()
  using wait = new DisposableStack()
  let attemptsAtFault = 0
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await use()
    } catch (err) {
      if (!(err instanceof ObjectStoreUnavailable) || stopping.aborted) throw err
      if (attempt === 1) wait.use(waits.begin())
      const available = await passes(objects.check())
      attemptsAtFault = available ? attemptsAtFault + 1 : 0
      const message = available ? 'object cannot be used, retrying' : 'object store unavailable, retrying'
      log.warn({ err, generation, key, attempt }, message)
      if (attemptsAtFault >= maxAttempts) {
        waits.countFailure()
        throw new ObjectUnusable(`the object ${key} cannot be used, while the object store answers`, { cause: err })
      }
      if (!available && performance.now() - startedAt > maxWaitMs) {
        throw new Released('the object store is unavailable', { cause: err, delayMs: releasedMs })
      }
      await sleep(backoffMs(attempt, { firstMs: 200, maxMs: 10_000 }), AbortSignal.any([signal, stopping]))
    }
  }
}

function passes(check: Promise<void>): Promise<boolean> {
  return check.then(
    () => true,
    () => false,
  )
}
