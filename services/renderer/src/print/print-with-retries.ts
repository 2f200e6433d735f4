import type { Logger } from '@platen/foundation/runtime/logger.ts'
import { backoffMs, sleep } from '@platen/foundation/runtime/sleep.ts'
import { BrowserLost } from '../chromium/browser/browser-errors.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'

/** A document is at fault after this number of crashes of its page or browser. */
const maxCrashes = 3
/** Including attempts that were killed: by an operator, or by a system that is short of memory. */
const maxTries = 10

const retry = { firstMs: 50, maxMs: 1_000 }
/** The cause of a lost page is reported within this time after its commands fail. */
const lossReportedWithinMs = 300

/** Repeats the attempt while it rejects with BrowserLost. Rejects with the error of the last attempt. */
export async function printWithRetries<Result>(
  attempt: () => Promise<Result>,
  { signal, log }: { signal: AbortSignal; log: Logger },
): Promise<Result> {
  let crashes = 0
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (err) {
      if (!(err instanceof BrowserLost)) throw err
      if (!err.blameless) crashes += 1
      if (crashes === maxCrashes) throw err.fault ?? err
      if (tries === maxTries) throw err
      log.warn({ err, tries, crashes }, 'browser lost while printing a document, retrying')
      await sleep(backoffMs(tries, retry), signal)
    }
  }
}

/** Waits for the report why the page was lost: commands to the page fail before it arrives. */
export async function causeOfLoss(cause: unknown, { lost }: BrowserPage): Promise<BrowserLost> {
  await sleep(lossReportedWithinMs, lost)
  if (lost.aborted) return lost.reason
  return cause instanceof BrowserLost ? cause : new BrowserLost('the browser failed', { cause })
}
