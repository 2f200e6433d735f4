import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { BadStatus, codeOf } from './errors.ts'
import { isStale } from './transport.ts'

/** Delays after each of the first attempts, with jitter. */
const delaysMs = [100, 200, 400]

/** An attempt that took longer is not repeated: a caller is waiting. */
const slowMs = 2_000

const passingStatuses = new Set([408, 429, 500, 502, 503, 504])
const passingCodes = new Set(['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'EAI_AGAIN'])

/** Repeats a request after failures that often pass within a second. The request must be safe to repeat. */
export async function retryBriefly<Value>(send: () => Promise<Value>): Promise<Value> {
  let delays = delaysMs
  for (;;) {
    const startedAt = performance.now()
    try {
      return await send()
    } catch (err) {
      if (isStale(err) && delays === delaysMs) {
        delays = [...delaysMs]
        continue
      }
      const [delayMs, ...rest] = delays
      if (delayMs === undefined || !mayPass(err) || performance.now() - startedAt > slowMs) throw err
      delays = rest
      await sleep(delayMs * (0.5 + Math.random() / 2))
    }
  }
}

function mayPass(err: unknown): boolean {
  return err instanceof BadStatus ? passingStatuses.has(err.status) : passingCodes.has(codeOf(err) ?? '')
}
