import { DependencyUnavailable } from '../errors/errors.ts'
import type { Logger } from './logger.ts'
import { OutageLog } from './outage-log.ts'
import { backoffMs, sleep } from './sleep.ts'

/**
 * Retries `work` while it throws DependencyUnavailable, until the signal aborts. Throws every other error. Repeated
 * failures are logged in growing intervals, under `name`.
 */
export async function untilAvailable<Result>(
  work: () => Promise<Result>,
  { log, name, signal }: { log: Pick<Logger, 'warn'>; name: string; signal?: AbortSignal },
): Promise<Result> {
  const outage = new OutageLog(log, name)
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await work()
      outage.recovered()
      return result
    } catch (err) {
      if (!(err instanceof DependencyUnavailable) || signal?.aborted) throw err
      outage.failed(err)
      await sleep(backoffMs(attempt, { firstMs: 200, maxMs: 2_000 }), signal)
    }
  }
}
