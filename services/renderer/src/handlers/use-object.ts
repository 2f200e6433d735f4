import { type ObjectStore, ObjectStoreUnavailable } from '@platen/shared/object-store/object-store.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import { backoffMs, sleep } from '@platen/shared/runtime/sleep.ts'

/** One object cannot be read or written, while the object store answers otherwise. */
export class ObjectUnusable extends Error {
  override readonly name = 'ObjectUnusable'
}

export interface ObjectUse {
  objects: Pick<ObjectStore, 'check'>
  key: string
  /** The id of the generation, for the log. */
  generation: string
  log: Pick<Logger, 'warn'>
  /** Ends the wait. Its reason is thrown. */
  signal: AbortSignal
  /** Ends the wait. The last ObjectStoreUnavailable is thrown. */
  stopping: AbortSignal
}

/** While the store passes its check, more attempts than this are left to a later delivery. */
const maxAttempts = 3

/**
 * Repeats `use` while the object store is unavailable. If the store passes its check and `use` still fails, throws
 * ObjectUnusable after some attempts: the object is at fault, and other work must not wait for it.
 */
export async function useObject<Result>(use: () => Promise<Result>, options: ObjectUse): Promise<Result> {
  const { objects, key, generation, log, signal, stopping } = options
  const wake = AbortSignal.any([signal, stopping])
  let attemptsAtFault = 0
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await use()
    } catch (err) {
      if (!(err instanceof ObjectStoreUnavailable) || stopping.aborted) throw err
      const available = await objects.check().then(
        () => true,
        () => false,
      )
      attemptsAtFault = available ? attemptsAtFault + 1 : 0
      if (attemptsAtFault >= maxAttempts) {
        throw new ObjectUnusable(`The object ${key} cannot be used, while the object store answers`, { cause: err })
      }
      const message = available ? 'object cannot be used, retrying' : 'object store unavailable, retrying'
      log.warn({ err, generation, key, attempt }, message)
      await sleep(backoffMs(attempt, { firstMs: 200, maxMs: 10_000 }), wake)
    }
  }
}
