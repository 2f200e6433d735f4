import { DependencyUnavailable } from '../errors/errors.ts'
import type { Logger } from './logger.ts'
import { backoffMs, sleep } from './sleep.ts'

/**
 * Retries `work` while it throws a DependencyUnavailable that may recover, and `stopping` has not aborted. Throws every other
 * error.
 */
export async function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  { log, stopping }: { log: Pick<Logger, 'warn'>; stopping: AbortSignal },
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (err) {
      if (!(err instanceof DependencyUnavailable && err.mayRecover) || stopping.aborted) throw err
      log.warn({ err, attempt }, 'dependency unavailable, retrying')
      await sleep(backoffMs(attempt, { firstMs: 200, maxMs: 10_000 }), stopping)
    }
  }
}
